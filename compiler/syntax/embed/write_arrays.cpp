// All files share one array a kind of data, and a file is a piece of each: few symbols, few
// relocations, and the compiler sees flat lists of numbers, which it takes quickly.
#include "syntax/embed/write_arrays.h"

#include <string_view>

#include "base/out.h"

namespace dtp::syntax {
namespace {

void append_literal(std::string& out, std::string_view text) {
  out += '"';
  for (size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n')
      out += i + 1 < text.size() ? "\\n\"\n\"" : "\\n";
    else if (c == '"' || c == '\\')
      (out += '\\') += static_cast<char>(c);
    else if (c == '?')
      out += "\\?";  // no trigraph
    else if (c < 0x20 || c >= 0x7F)
      out += format("\\{:03o}", static_cast<unsigned>(c));
    else
      out += static_cast<char>(c);
  }
  out += '"';
}

void append_nodes(std::string& out, const Tree& tree) {
  for (const Node& n : tree.nodes())
    out += format("{{K{{{}}},O{{{}}},{},0,{},{},{},{}}},\n", static_cast<unsigned>(n.kind),
                  static_cast<unsigned>(n.op), static_cast<unsigned>(n.flags), n.begin, n.end,
                  n.first_child, n.child_count);
}

void append_children(std::string& out, const Tree& tree) {
  size_t column = 0;
  for (NodeId id : tree.child_array()) out += format("{},{}", id, ++column % 16 == 0 ? "\n" : "");
  out += '\n';
}

void append_trivia(std::string& out, const Tree& tree) {
  for (const Trivia& t : tree.trivia())
    out += format("{{T{{{}}},{},{}}},\n", static_cast<unsigned>(t.kind), t.begin, t.end);
}

constexpr std::string_view kHead = R"(// Written by dtp-embed. Do not edit.
#include <algorithm>

#include "syntax/embedded.h"

namespace dtp::syntax {
namespace {
using K = NodeKind;
using O = Op;
using T = TriviaKind;
)";

constexpr std::string_view kTail = R"(
}  // namespace

std::span<const EmbeddedFile> embedded_library() { return {kFiles, kFileCount}; }

const EmbeddedFile* find_embedded(std::string_view path) {
  std::span<const EmbeddedFile> files = embedded_library();
  auto at = std::lower_bound(files.begin(), files.end(), path,
                             [](const EmbeddedFile& file, std::string_view wanted) {
                               return file.path < wanted;
                             });
  return at != files.end() && at->path == path ? &*at : nullptr;
}

}  // namespace dtp::syntax
)";

}  // namespace

std::string write_arrays(const std::vector<ParsedFile>& files) {
  std::string nodes, children, trivia, index, texts;
  size_t node = 0, child = 0, comment = 0, number = 0;
  for (const auto& [path, tree] : files) {
    append_nodes(nodes, tree);
    append_children(children, tree);
    append_trivia(trivia, tree);
    texts += format("constexpr char kText{}[] =\n", number);
    append_literal(texts, tree.text());
    texts += ";\n";
    index += "{";
    append_literal(index, path);
    index +=
        format(",{{kText{},{}}},{{kNodes+{},{}}},{{kChildren+{},{}}},{{kTrivia+{},{}}},{}}},\n",
               number, tree.text().size(), node, tree.nodes().size(), child,
               tree.child_array().size(), comment, tree.trivia().size(), tree.root());
    node += tree.nodes().size();
    child += tree.child_array().size();
    comment += tree.trivia().size();
    ++number;
  }
  // An array may not be empty: one unused element ends each.
  std::string out(kHead);
  out += "constexpr Node kNodes[] = {\n" + nodes + "{}};\n";
  out += "constexpr NodeId kChildren[] = {\n" + children + "0};\n";
  out += "constexpr Trivia kTrivia[] = {\n" + trivia + "{T{0},0,0}};\n";
  out += texts;
  out += "constexpr EmbeddedFile kFiles[] = {\n" + index + "{}};\n";
  out += format("constexpr size_t kFileCount = {};\n", number);
  out += kTail;
  return out;
}

}  // namespace dtp::syntax

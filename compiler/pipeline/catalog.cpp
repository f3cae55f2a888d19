#include "pipeline/catalog.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/out.h"
#include "estimate/fields.h"
#include "ops/operation.h"
#include "syntax/embedded.h"

namespace dtp::pipeline {
namespace {

using syntax::NodeId;
using syntax::NodeKind;
using syntax::Tree;
using Row = CatalogSection::Row;

std::string one_line(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool space = c == ' ' || c == '\n';
    if (!space || (!out.empty() && out.back() != ' ')) out += space ? ' ' : c;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string first_sentence(const std::string& text) {
  for (size_t stop = text.find(". "); stop != std::string::npos; stop = text.find(". ", stop + 1)) {
    char next = stop + 2 < text.size() ? text[stop + 2] : ' ';
    if (next >= 'A' && next <= 'Z') return text.substr(0, stop);
  }
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

// The `///` lines that end right above byte `begin`.
std::string comment_above(const Tree& tree, uint32_t begin) {
  std::string text;
  std::span<const syntax::Trivia> trivia = tree.trivia();
  for (size_t i = trivia.size(); i-- > 0;) {
    const syntax::Trivia& t = trivia[i];
    if (t.begin >= begin) continue;
    std::string_view between = tree.text().substr(t.end, begin - t.end);
    bool touches = std::count(between.begin(), between.end(), '\n') <= 1 &&
                   between.find_first_not_of(" \n") == std::string_view::npos;
    if (t.kind != syntax::TriviaKind::doc_comment || !touches) break;
    text = one_line(tree.text().substr(t.begin + 3, t.end - t.begin - 3)) + " " + text;
    begin = t.begin;
  }
  return first_sentence(one_line(text));
}

// name = "A100-SXM-80GB" of a record: what it is called, where no comment says more.
std::string name_inside(const Tree& tree, NodeId id) {
  for (NodeId child : tree.children(id)) {
    if (tree.kind(child) == NodeKind::Set && tree.text(tree.child(child, 0)) == "name" &&
        tree.kind(tree.child(child, 1)) == NodeKind::String) {
      std::string_view quoted = tree.text(tree.child(child, 1));
      return std::string(quoted.substr(1, quoted.size() - 2));
    }
    bool record = tree.kind(child) == NodeKind::AmendExpr || tree.kind(child) == NodeKind::Body ||
                  tree.kind(child) == NodeKind::RecordLit;
    if (std::string name = record ? name_inside(tree, child) : ""; !name.empty()) return name;
  }
  return {};
}

std::string text_between(const Tree& tree, NodeId first, NodeId last) {
  return one_line(tree.text().substr(tree[first].begin, tree[last].end - tree[first].begin));
}

std::string cases(const Tree& tree, NodeId choice) {
  std::string list;
  for (NodeId child : tree.children(choice))
    if (tree.kind(child) == NodeKind::Case)
      list += (list.empty() ? "" : " | ") + one_line(tree.text(child));
  return list;
}

// How a declaration is named; empty for what has no name of its own to use.
std::string heading(const Tree& tree, NodeId id) {
  NodeId name = tree.child(id, 0);
  auto last_present = [&](uint32_t most) {
    NodeId last = name;
    for (uint32_t i = 1; i <= most; ++i)
      if (NodeId slot = tree.child(id, i); slot != syntax::kNoNode) last = slot;
    return last;
  };
  switch (tree.kind(id)) {
    case NodeKind::Let: return one_line(tree.text(name));
    case NodeKind::Fn: return text_between(tree, name, last_present(2));
    case NodeKind::Model: return text_between(tree, name, last_present(1));
    case NodeKind::Unit: return one_line(tree.text(name));
    case NodeKind::Dimension: return "dimension " + text_between(tree, name, last_present(2));
    case NodeKind::Family: return "family " + one_line(tree.text(name));
    case NodeKind::Rule: return "rule " + one_line(tree.text(name));
    case NodeKind::Type: return "type " + text_between(tree, name, last_present(2));
    case NodeKind::Choice: return one_line(tree.text(name)) + ": " + cases(tree, id);
    default: return {};
  }
}

CatalogSection section_of(const syntax::EmbeddedFile& file, bool in_scope) {
  CatalogSection section;
  section.topic = "std." + std::string(file.path.substr(0, file.path.size() - 4));
  std::replace(section.topic.begin(), section.topic.end(), '/', '.');
  section.intro = in_scope ? "Always in scope." : "`import " + section.topic + "`";
  Tree tree = file.tree({});
  for (NodeId id : tree.children(tree.root())) {
    std::string name = heading(tree, id);
    if (name.empty()) continue;
    std::string doc = comment_above(tree, tree[id].begin);
    if (doc.empty()) doc = name_inside(tree, id);
    if (doc == name) doc.clear();
    section.rows.push_back({std::move(name), std::move(doc)});
  }
  return section;
}

// The names that the prelude imports: "units", "hardware/types".
std::vector<std::string> prelude_paths() {
  std::vector<std::string> paths;
  const syntax::EmbeddedFile* prelude = syntax::find_embedded("prelude.dtp");
  if (!prelude) return paths;
  Tree tree = prelude->tree({});
  for (NodeId id : tree.children(tree.root())) {
    if (tree.kind(id) != NodeKind::Import) continue;
    std::string path(tree.text(tree.child(id, 0)).substr(4));
    std::replace(path.begin(), path.end(), '.', '/');
    paths.push_back(path + ".dtp");
  }
  return paths;
}

std::string escaped(std::string_view text) {  // a bar ends a cell
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

}  // namespace

std::vector<CatalogSection> catalog() {
  CatalogSection operations{"operations",
                            "Of tensors, in models. What the compiler knows of each: its shape "
                            "rule, arithmetic and traffic, and what autograd keeps for it.",
                            {}};
  for (const ops::Operation* o : ops::all_operations())
    operations.rows.push_back({std::string(o->signature), std::string(o->doc)});
  CatalogSection layers{"layers", "They own parameters. More are made of them in std.layers.", {}};
  for (const ops::LayerKind* l : ops::all_layers())
    layers.rows.push_back({std::string(l->signature), std::string(l->doc)});
  CatalogSection results{"results",
                         "What `require`, `expect`, messages and launch texts may read of a plan "
                         "once it is estimated.",
                         {}};
  for (const estimate::ResultField& f : estimate::result_fields())
    results.rows.push_back({format("{}.{}", f.group, f.name), std::string(f.doc)});
  std::vector<CatalogSection> all{std::move(operations), std::move(layers), std::move(results)};
  std::vector<std::string> first = prelude_paths();
  for (const std::string& path : first)
    if (const syntax::EmbeddedFile* file = syntax::find_embedded(path))
      all.push_back(section_of(*file, true));
  for (const syntax::EmbeddedFile& file : syntax::embedded_library())
    if (file.path != "prelude.dtp" &&
        std::find(first.begin(), first.end(), file.path) == first.end())
      all.push_back(section_of(file, false));
  return all;
}

void print_section(const CatalogSection& section, llvm::raw_ostream& out) {
  out << "## " << section.topic << "\n" << section.intro << "\n\n| name | |\n|---|---|\n";
  for (const Row& row : section.rows)
    out << "| `" << escaped(row.name) << "` | " << escaped(row.doc)
        << (row.doc.empty() ? "|\n" : " |\n");
  out << "\n";
}

}  // namespace dtp::pipeline

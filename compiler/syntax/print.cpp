#include "syntax/print.h"

#include "base/out.h"
#include "llvm/Support/raw_ostream.h"

namespace dtp::syntax {
namespace {

constexpr std::string_view kKindNames[] = {
#define NODE(name, slots) #name,
#include "syntax/node_kinds.def"
};

constexpr std::string_view kOpNames[] = {
    "",    "^",       "*",      "/",        "%",        "+",     "-",       "by",
    "??",  "==",      "!=",     "<",        "<=",       ">",     ">=",      "in",
    "is",  "and",     "or",     "implies",  "|>",       "-",     "not",     "..",
    "..<", "require", "expect", "minimize", "maximize", "given", "derived", "estimated"};
static_assert(std::size(kOpNames) == static_cast<size_t>(Op::estimated) + 1);

void print_escaped(std::string_view text, llvm::raw_ostream& out) {
  for (char c : text) {
    if (c == '\n')
      out << "\\n";
    else if (c == '\r')
      out << "\\r";
    else
      out << c;
  }
}

void print_node(const Tree& tree, NodeId id, unsigned indent, llvm::raw_ostream& out) {
  const Node& node = tree[id];
  out.indent(2 * indent) << kKindNames[static_cast<size_t>(node.kind)];
  if (node.op != Op::none) out << ' ' << kOpNames[static_cast<size_t>(node.op)];
  if (node.flags & kOptional) out << " optional";
  if (node.flags & kCheckpointed) out << " checkpointed";
  if (node.flags & kRaw) out << " raw";
  if (node.child_count == 0 && id != kNoNode && node.begin != node.end) {
    out << " `";
    print_escaped(tree.text(id), out);
    out << '`';
  }
  out << '\n';
  for (NodeId child : tree.children(id)) print_node(tree, child, indent + 1, out);
}

}  // namespace

void print_tree(const Tree& tree, llvm::raw_ostream& out) { print_node(tree, tree.root(), 0, out); }

}  // namespace dtp::syntax

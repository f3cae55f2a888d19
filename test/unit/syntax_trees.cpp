#include "syntax_trees.h"

namespace dtp::syntax::test {
namespace {

constexpr std::string_view kNames[] = {
#define NODE(name, slots) #name,
#include "syntax/node_kinds.def"
};

std::string_view op_text(Op op) {
  constexpr std::string_view kTexts[] = {"",   "^",   "*",  "/",   "%",  "+",       "-",
                                         "by", "??",  "==", "!=",  "<",  "<=",      ">",
                                         ">=", "in",  "is", "and", "or", "implies", "|>",
                                         "-",  "not", "..", "..<"};
  auto i = static_cast<size_t>(op);
  return i < std::size(kTexts) ? kTexts[i] : "";
}

}  // namespace

std::string brief(const Tree& tree, NodeId id) {
  const Node& node = tree[id];
  if (id == kNoNode) return "-";
  bool by_op = node.kind == NodeKind::Binary || node.kind == NodeKind::Unary ||
               node.kind == NodeKind::Range || node.kind == NodeKind::TypeRange;
  if (node.child_count == 0 && !by_op) {
    if (node.kind == NodeKind::Error) return "Error";
    return std::string(tree.text(id));
  }
  std::string out = "(";
  out += by_op ? op_text(node.op) : kNames[static_cast<size_t>(node.kind)];
  if (node.flags & kOptional) out += '?';
  if (node.flags & kCheckpointed) out += '!';
  for (NodeId child : tree.children(id)) out += ' ' + brief(tree, child);
  return out + ')';
}

std::string expression(const std::string& text) {
  Parsed parsed("let x = " + text + "\n");
  if (parsed.sink.has_errors()) return parsed.errors();
  return brief(parsed.tree, parsed.tree.child(parsed.declaration(0), 2));
}

}  // namespace dtp::syntax::test

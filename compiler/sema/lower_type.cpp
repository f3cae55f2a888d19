#include "sema/lowering.h"

namespace dtp::sema {

using lang::TypeExpr;
using lang::TypeExprKind;
using syntax::NodeId;
using syntax::NodeKind;

const TypeExpr* Lowerer::type(NodeId id) {
  if (id == syntax::kNoNode) return nullptr;
  auto* t = make<TypeExpr>();
  const syntax::Node& node = tree_[id];
  t->span = span(id);
  t->optional = (node.flags & syntax::kOptional) != 0;
  auto types = [&](std::span<const NodeId> ids) {
    std::vector<const TypeExpr*> list;
    for (NodeId child : ids) list.push_back(type(child));
    return keep(list);
  };
  auto set_dims = [&](NodeId dims) {
    if (dims == syntax::kNoNode) return;
    t->has_dims = true;
    t->dims = expressions(tree_.children(dims));
  };
  switch (node.kind) {
    case NodeKind::TypeName:
      t->kind = TypeExprKind::name;
      t->path = path(tree_.child(id, 0));
      if (NodeId arguments = tree_.child(id, 1); arguments != syntax::kNoNode)
        t->arguments = types(tree_.children(arguments));
      set_dims(tree_.child(id, 2));
      break;
    case NodeKind::TypeTensor:
      t->kind = TypeExprKind::tensor;
      set_dims(tree_.child(id, 0));
      break;
    case NodeKind::TypeTuple: {
      t->kind = TypeExprKind::tuple;
      std::vector<Symbol> names;
      std::vector<const TypeExpr*> elements;
      for (NodeId element : tree_.children(id)) {
        NodeId name = tree_.child(element, 0);
        names.push_back(name == syntax::kNoNode ? Symbol() : symbol(name));
        elements.push_back(type(tree_.child(element, 1)));
      }
      t->element_names = keep(names);
      t->arguments = keep(elements);
      break;
    }
    case NodeKind::TypeMultiply:
    case NodeKind::TypeDivide:
      t->kind = node.kind == NodeKind::TypeMultiply ? TypeExprKind::multiply : TypeExprKind::divide;
      t->arguments = types(tree_.children(id));
      break;
    case NodeKind::TypeRange:
      t->kind = TypeExprKind::range;
      t->exclusive = node.op == syntax::Op::range_exclusive;
      t->lo = expression(tree_.child(id, 0));
      t->hi = expression(tree_.child(id, 1));
      break;
    default: t->kind = TypeExprKind::error; break;
  }
  return t;
}

}  // namespace dtp::sema

#include <utility>

#include "sema/lowering.h"

namespace dtp::sema {

using lang::FieldAction;
using lang::FieldDef;
using lang::RecordBody;
using syntax::NodeId;
using syntax::NodeKind;

const RecordBody* Lowerer::body(NodeId id) {
  if (id == syntax::kNoNode) return nullptr;
  auto* result = make<RecordBody>();
  result->span = span(id);
  bool outside = std::exchange(refused_, false);
  std::vector<FieldDef> fields;
  std::vector<lang::Let> lets;
  std::vector<lang::Function> functions;
  std::vector<lang::Requirement> requirements;
  std::vector<lang::Allowance> allowances;
  for (NodeId item : tree_.children(id)) {
    switch (tree_.kind(item)) {
      case NodeKind::Let: lets.push_back(*let(item)); break;
      case NodeKind::Fn: functions.push_back(*function(item)); break;
      case NodeKind::Require: requirements.push_back(*requirement(item)); break;
      case NodeKind::Allow: allowances.push_back(*allowance(item)); break;
      case NodeKind::Goal:
        not_evaluated(item, "`minimize` and `maximize` (goals of a search) are");
        break;
      case NodeKind::Set:
      case NodeKind::Entry:
      case NodeKind::Amend: fields.push_back(field(item)); break;
      default: break;  // an error node: already reported
    }
  }
  result->fields = keep(fields);
  result->lets = keep(lets);
  result->functions = keep(functions);
  result->requirements = keep(requirements);
  result->allowances = keep(allowances);
  result->refused = refused_;
  refused_ = refused_ || outside;
  return result;
}

FieldDef Lowerer::field(NodeId id) {
  NodeId key = tree_.child(id, 0);
  if (tree_.kind(key) == NodeKind::Path && tree_.children(key).size() > 1) {
    std::vector<Span> spans;
    for (NodeId word : tree_.children(key)) spans.push_back(span(word));
    return nested_field(id, path(key), keep(spans));
  }
  FieldDef f;
  f.span = span(id);
  f.key_span = span(key);
  if (tree_.kind(key) == NodeKind::Path) {
    f.name = symbol(tree_.child(key, 0));
  } else {
    f.quoted = true;
    f.name =
        names_.intern(tree_.kind(key) == NodeKind::String ? string_text(key) : tree_.text(key));
  }
  NodeId value = tree_.child(id, 1);
  switch (tree_.kind(id)) {
    case NodeKind::Set:
      f.action = FieldAction::set;
      f.value = expression(value);
      break;
    case NodeKind::Entry:
      f.action = FieldAction::entry;
      f.value = expression(value);
      break;
    default:
      f.action = FieldAction::amend;
      f.body = body(value);
      break;
  }
  return f;
}

// a.b.c = e  is  a { b { c = e } }: a dotted path amends in place.
FieldDef Lowerer::nested_field(NodeId id, llvm::ArrayRef<Symbol> path, llvm::ArrayRef<Span> spans) {
  FieldDef f;
  f.span = span(id);
  f.name = path.front();
  f.key_span = spans.front();
  if (path.size() == 1) {
    f.key_span = spans.front();
    NodeId value = tree_.child(id, 1);
    if (tree_.kind(id) == NodeKind::Amend) {
      f.action = FieldAction::amend;
      f.body = body(value);
    } else {
      f.action = tree_.kind(id) == NodeKind::Set ? FieldAction::set : FieldAction::entry;
      f.value = expression(value);
    }
    return f;
  }
  f.action = FieldAction::amend;
  auto* inner = make<RecordBody>();
  inner->span = span(id);
  inner->fields =
      keep(std::vector<FieldDef>{nested_field(id, path.drop_front(), spans.drop_front())});
  f.body = inner;
  return f;
}

}  // namespace dtp::sema

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>

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
  bool outside = std::exchange(chooses_, false);
  NoChoice inside(*this, no_choice_ == kOutsideRecords ? nullptr : no_choice_);
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
      case NodeKind::Goal: {
        const lang::Goal* more = goal(item);
        if (!result->goal)
          result->goal = more;
        else
          sink_.add(DiagnosticBuilder(Kind::DeclaredTwice, more->span,
                                      "a plan has one goal, and this is a second one")
                        .label(result->goal->span, "first here")
                        .help("several in order: `minimize [time.total, cost.total]`"));
        break;
      }
      case NodeKind::Set:
      case NodeKind::Entry:
      case NodeKind::Amend: fields.push_back(field(item)); break;
      default: result->incomplete = true; break;  // an error node: already reported
    }
  }
  result->fields = keep(fields);
  result->lets = keep(lets);
  result->functions = keep(functions);
  result->requirements = keep(requirements);
  result->allowances = keep(allowances);
  check_said_once(*result);
  result->chooses = chooses_;
  chooses_ = chooses_ || outside;
  return result;
}

namespace {

constexpr std::string_view kSetTwice = "is set twice in one body";

}  // namespace

// A body has no order, so that nothing in it can come after and win.
void Lowerer::check_said_once(const RecordBody& body) {
  std::vector<Said> fields;
  fields.reserve(body.fields.size());
  for (const FieldDef& f : body.fields) fields.push_back({&f, nullptr});
  check_said_once(fields);
  if (!body.lets.empty()) {
    Once values = once(kSetTwice);
    llvm::DenseSet<uint32_t> lets;
    for (const lang::Let& l : body.lets) values.see(l.name, l.span), lets.insert(l.name.value);
    llvm::DenseSet<uint32_t> told;
    for (const FieldDef& f : body.fields)
      if (lets.contains(f.name.value) && told.insert(f.name.value).second)
        values.see(f.name, f.key_span);
  }
  Once functions = once("is defined twice in one body");
  for (const lang::Function& f : body.functions) functions.see(f.name, f.span);
  Once labels = once("labels two requirements of one body");
  for (const lang::Requirement& r : body.requirements) labels.see(r.label, r.label_span);
}

// Amendments of one field (`batch.micro = 8` and `batch.global = 256`) stand side by side, as long
// as they say different things. What stands in one amendment was compared when that was lowered.
void Lowerer::check_said_once(llvm::ArrayRef<Said> fields) {
  llvm::DenseMap<uint32_t, size_t> first;
  llvm::MapVector<uint32_t, std::vector<const FieldDef*>> amended;
  for (size_t i = 0; i < fields.size(); ++i) {
    const FieldDef& f = *fields[i].field;
    if (!f.name) continue;  // did not parse
    auto [at, fresh] = first.try_emplace(f.name.value, i);
    if (fresh) continue;
    const Said& before = fields[at->second];
    bool amend = f.action == FieldAction::amend;
    if (amend && before.field->action == FieldAction::amend) {
      std::vector<const FieldDef*>& all = amended[f.name.value];
      if (all.empty()) all.push_back(before.field);
      all.push_back(&f);
    } else if (!fields[i].inside || fields[i].inside != before.inside) {
      bool mixed = amend || before.field->action == FieldAction::amend;
      once({}).report(
          f.name, f.key_span, before.field->key_span,
          mixed ? "is set and amended in one body: say all of it in one place" : kSetTwice);
    }
  }
  for (const auto& [name, amendments] : amended) {
    std::vector<Said> inner;
    for (const FieldDef* a : amendments)
      for (const FieldDef& f : a->body->fields) inner.push_back({&f, a->body});
    check_said_once(inner);
  }
}

FieldDef Lowerer::field(NodeId id) {
  NodeId key = tree_.child(id, 0);
  if (tree_.kind(key) == NodeKind::Path && tree_.children(key).size() > 1) {
    return nested_field(id, path(key), spans(tree_.children(key)));
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

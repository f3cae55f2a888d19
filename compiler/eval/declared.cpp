// What a declaration of a file comes to: worked out when it is first asked for, once.
#include <llvm/ADT/STLExtras.h>

#include "eval/evaluator.h"
#include "eval/guards.h"

namespace dtp::eval {
namespace {

// A `let` of a plan that is left to be chosen, which `-D` may choose; null where there is none.
const lang::Expr* open_let(const Record* plan, Symbol name) {
  for (const Layer& layer : plan->layers)
    for (const lang::Let& let : layer.body->lets)
      if (let.name == name && let.value->kind == lang::ExprKind::choose) return let.value;
  return nullptr;
}

}  // namespace

Value Evaluator::declared(lang::Module* module, lang::DeclEntry& entry) {
  auto [slot, fresh] = declared_.try_emplace(&entry, Slot{});
  if (!fresh) {
    if (slot->second.state == SlotState::done) {
      note_reads(slot->second.reads);
      bool anew = entry.kind == lang::DeclKind::let && outdated(slot->second);
      return anew ? written_value(*module->declaration(entry)->let, module_env(module))
                  : slot->second.value;
    }
    return error(Kind::EvaluationCycle, entry.name_span, ring(module, entry.name));
  }
  Reads own(*this);
  if (too_deep(entry.name_span)) return (slot->second = {SlotState::done, false, poison()}).value;
  WorkedOut here(*this, module, entry.name);
  const lang::Decl* decl = module->declaration(entry);
  Env* env = module_env(module);
  uint64_t estimates = estimates_read_;
  Value v = poison();
  switch (entry.kind) {
    case lang::DeclKind::let: {
      v = written_value(*decl->let, env);
      if (v.is(ValueKind::auto_))
        v = error(Kind::TypeMismatch, decl->let->value->span,
                  "`auto` stands in a field that the engine fills, and this is a let");
      if (v.is(ValueKind::record) && !v.record->name) {
        auto* named = make<Record>(*v.record);
        named->name = decl->name;
        for (Layer& l : named->layers) l.self_env = nullptr;
        v = make_record(named);
      }
      break;
    }
    case lang::DeclKind::function: {
      auto* closure = make<Closure>();
      *closure = {decl->function, env, nullptr};
      v = make_simple(ValueKind::function);
      v.closure = closure;
      break;
    }
    case lang::DeclKind::type:
    case lang::DeclKind::choice:
    case lang::DeclKind::model:
      v = make_simple(ValueKind::shape);
      v.shape = shape(module, decl);
      // Another name of a type is that type.
      if (const Type* t = decl->alias ? type(decl->alias, env) : nullptr; t && t->shape)
        v.shape = t->shape;
      if (!v.shape) v = poison();
      break;
    case lang::DeclKind::plan:
      if (Record* plan = declared_plan(module, *decl, env)) v = make_record(plan);
      break;
    default: break;
  }
  // It can be called after all: then it called itself.
  if (passed_over_.erase(&entry) && !v.poisoned() && is_callable(v))
    v = error(Kind::EvaluationCycle, entry.name_span, ring(module, entry.name));
  declared_[&entry] = {SlotState::done, estimates != estimates_read_, v, reads_};
  return v;
}

Record* Evaluator::declared_plan(lang::Module* module, const lang::Decl& decl, Env* env) {
  bool found = false;
  Value plan_type = from_prelude(sym::Plan, false, found);
  if (!plan_type.is(ValueKind::shape)) return nullptr;
  Record* record = nullptr;
  if (decl.value) {
    Value base = evaluate(decl.value, env);
    if (base.is(ValueKind::record) && !base.record->shape) {
      Span brace = decl.value->span;
      brace.end = brace.begin + 1;
      sink_.add(
          diagnose(Kind::BadDeclaration, brace, "a record without a type is no plan")
              .help(format("a plan's fields follow its name, without `=`: `plan {} {{ ... }}`",
                           text(decl.name))));
      return nullptr;
    }
    bool is_plan = base.is(ValueKind::record) &&
                   (base.record->shape->is_a(plan_type.shape) || is_series(base.record));
    if (!is_plan) {
      if (!base.poisoned())
        error(Kind::TypeMismatch, decl.value->span,
              format("a plan is made from a plan, not from {}", describe(base)));
      return nullptr;
    }
    record = make<Record>(*base.record);
    for (Layer& l : record->layers) l.self_env = nullptr;
  } else {
    record = instantiate(plan_type.shape, decl.name_span);
    if (decl.body) record->layers.push_back({decl.body, env, nullptr, nullptr});
  }
  record->name = decl.name;
  record->span = decl.name_span;
  return is_series(record) ? record : with_overrides(module, record, env);
}

// What is set from outside is set once, on top: not below the amendments of another plan as well.
Record* Evaluator::with_overrides(lang::Module* module, Record* plan, Env* env) {
  if (module->is_library || overrides_.empty()) return plan;
  llvm::erase_if(plan->layers,
                 [&](const Layer& layer) { return llvm::is_contained(overrides_, layer.body); });
  Chosen chosen;
  if (plan->chosen) chosen = *plan->chosen;
  for (const lang::RecordBody* body : overrides_) {
    const lang::FieldDef& set = body->fields.front();
    if (const lang::Expr* choice = set.value ? open_let(plan, set.name) : nullptr)
      chosen.push_back({choice, evaluate(set.value, env)});
    else
      plan = amend(plan, body, env, true);
  }
  if (!chosen.empty()) plan->chosen = make<Chosen>(chosen);
  return plan;
}

}  // namespace dtp::eval

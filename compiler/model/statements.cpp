// The statements of a method; its loops are in loops.cpp.
#include "model/method_run.h"

namespace dtp::model {

using eval::EvaluatedArgument;
using eval::Value;
using eval::ValueKind;
using lang::StatementKind;

Value MethodRun::run(llvm::ArrayRef<EvaluatedArgument> arguments) {
  env_ = evaluator_.make<eval::Env>();
  env_->parent = instance_.env;
  if (!bind(arguments)) return eval::poison();
  // The step itself is no call: what it is given is its input.
  bool called = body_.active_.size() > 1;
  if (called) builder_.begin_call();
  Flow flow = run_block(*method_.block);
  std::vector<graph::TensorId> held;
  for (const EvaluatedArgument& a : arguments)
    if (a.value.is(ValueKind::tensor)) held.push_back({a.value.tensor->id});
  if (called) builder_.end_call(held);
  if (flow == Flow::failed) return eval::poison();
  // What did not parse may have been the `return`.
  if (flow == Flow::next && method_.block->incomplete) return eval::poison();
  if (flow == Flow::next)
    return evaluator_.error(Kind::WrongOperands, method_.span,
                            format("`{}` ends without `return`", evaluator_.text(method_.name)));
  return check_result(result_, result_span_) ? result_ : eval::poison();
}

MethodRun::Flow MethodRun::run_block(const lang::Block& block) {
  for (const lang::Statement* s : block.statements) {
    Flow flow = run_statement(*s);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

MethodRun::Flow MethodRun::run_statement(const lang::Statement& s) {
  if (!evaluator_.spend(s.span)) return Flow::failed;
  switch (s.kind) {
    case StatementKind::assign:
    case StatementKind::let: return assign(s);
    case StatementKind::return_: {
      llvm::SmallVector<Value, 4> values;
      for (const lang::Expr* e : s.values) {
        values.push_back(evaluator_.evaluate(e, env_));
        if (values.back().poisoned()) return Flow::failed;
      }
      result_ = values.size() == 1 ? values[0] : evaluator_.make_list(values, ValueKind::tuple);
      result_span_ = s.values.size() == 1 ? s.values[0]->span : s.span;
      return Flow::returned;
    }
    case StatementKind::repeat: return repeat(s);
    case StatementKind::for_: return loop(s);
    case StatementKind::if_: return branch(s);
    case StatementKind::require: return require(*s.requirement) ? Flow::next : Flow::failed;
  }
  return Flow::next;
}

Value* MethodRun::local(Symbol name) {
  for (size_t i = env_->locals.size(); i-- > 0;)
    if (env_->locals[i].first == name) return &env_->locals[i].second;
  return nullptr;
}

MethodRun::Flow MethodRun::assign(const lang::Statement& s) {
  eval::Key hint;
  if (s.names.size() == 1) hint = {s.names[0], s.name_spans[0], false, false};
  Value v = evaluator_.evaluate(s.value, env_, nullptr, hint);
  if (v.poisoned()) return Flow::failed;
  auto set = [&](Symbol name, const Value& value) {
    if (Value* known = local(name))
      *known = value;
    else
      env_->locals.push_back({name, value});
  };
  if (s.names.size() == 1) {
    set(s.names[0], v);
    return Flow::next;
  }
  if ((!v.is(ValueKind::tuple) && !v.is(ValueKind::list)) || v.items().size() != s.names.size()) {
    evaluator_.error(Kind::WrongOperands, s.value->span,
                     format("{} names take {}", s.names.size(), evaluator_.describe(v)));
    return Flow::failed;
  }
  for (size_t i = 0; i < s.names.size(); ++i) set(s.names[i], v.items()[i]);
  return Flow::next;
}

MethodRun::Flow MethodRun::branch(const lang::Statement& s) {
  Value condition = evaluator_.evaluate(s.value, env_);
  if (condition.poisoned()) return Flow::failed;
  if (!condition.is(ValueKind::boolean) || condition.verdict == Verdict::undecided) {
    evaluator_.error(Kind::TypeMismatch, s.value->span,
                     format("`if` needs a condition that is known exactly, not {}",
                            evaluator_.describe(condition)));
    return Flow::failed;
  }
  if (condition.truthy()) return run_block(*s.block);
  return s.otherwise ? run_block(*s.otherwise) : Flow::next;
}

bool MethodRun::require(const lang::Requirement& r) {
  Value v = evaluator_.evaluate(r.condition, env_);
  if (v.poisoned()) return false;
  if (v.is(ValueKind::boolean) && v.verdict != Verdict::refuted) return true;
  std::string text =
      r.text ? evaluator_.interpolate(r.text, env_, eval::Digits::grouped)
             : format("{} refuses its input", evaluator_.text(instance_.record->shape->name));
  evaluator_.sink().add(evaluator_.diagnose(Kind::ModelRequirementFailed, r.condition->span, text)
                            .label(site_.span, "called here"));
  return false;
}

}  // namespace dtp::model

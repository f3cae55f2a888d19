// The statements of a method.
#include <algorithm>

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

void MethodRun::collect_assigned(const lang::Block& block, std::vector<Symbol>& names) const {
  for (const lang::Statement* s : block.statements) {
    if (s->kind == StatementKind::assign || s->kind == StatementKind::let)
      names.insert(names.end(), s->names.begin(), s->names.end());
    if (s->block) collect_assigned(*s->block, names);
    if (s->otherwise) collect_assigned(*s->otherwise, names);
  }
}

// A variable assigned before the loop and in it is carried from iteration to iteration.
std::vector<Symbol> MethodRun::carried_names(const lang::Block& block) const {
  std::vector<Symbol> assigned, carried;
  collect_assigned(block, assigned);
  for (Symbol name : assigned) {
    bool known = false;
    for (const auto& [l, value] : env_->locals) known = known || l == name;
    if (known && std::find(carried.begin(), carried.end(), name) == carried.end())
      carried.push_back(name);
  }
  return carried;
}

std::string MethodRun::key_of(const lang::Statement& s) {
  if (s.key_text) return evaluator_.interpolate(s.key_text, env_, eval::Digits::plain);
  return std::string(evaluator_.text(s.key));
}

bool MethodRun::is_lone_call(const lang::Block& block) const {
  if (block.statements.size() != 1 || block.statements[0]->kind != StatementKind::assign)
    return false;
  return block.statements[0]->value && block.statements[0]->value->kind == lang::ExprKind::call;
}

MethodRun::Flow MethodRun::repeat(const lang::Statement& s) {
  Value count = evaluator_.evaluate(s.value, env_);
  if (count.poisoned()) return Flow::failed;
  if (!count.is(ValueKind::number) || !count.number->whole() ||
      !count.number->dimension.is_none() || count.number->numerator < 0) {
    evaluator_.error(
        Kind::WrongOperands, s.value->span,
        format("`repeat` takes a whole number of times, not {}", evaluator_.describe(count)));
    return Flow::failed;
  }
  if (count.number->numerator == 0) return Flow::next;
  constexpr Int128 kMost = Int128{1} << 40;
  if (count.number->numerator > kMost) {
    evaluator_.error(Kind::GraphTooLarge, s.value->span,
                     format("a repeat of {} times: {} is the most that is counted",
                            with_thousands(count.number->numerator), with_thousands(kMost)));
    return Flow::failed;
  }
  std::vector<Symbol> names = carried_names(*s.block);
  std::vector<graph::TensorId> tensors;
  for (Symbol name : names) {
    Value* v = local(name);
    if (!v->is(ValueKind::tensor)) {
      evaluator_.error(Kind::WrongOperands, s.span,
                       format("`repeat` carries tensors, and `{}` is {}; use `for`",
                              evaluator_.text(name), evaluator_.describe(*v)));
      return Flow::failed;
    }
    tensors.push_back({v->tensor->id});
  }
  size_t depth = env_->locals.size();
  std::string key = key_of(s);
  // A second call of the same part repeats the same layers.
  auto times = static_cast<int64_t>(count.number->numerator);
  std::unique_ptr<Home>& home = instance_.loops[instance_.next(s.span)];
  if (home && builder_.graph().scopes[home->place.scope.value].count !=
                  builder_.graph().scopes[builder_.scope().value].count * times)
    home.reset();
  std::vector<graph::TensorId> inner =
      builder_.begin_repeat(times, key.empty() ? "repeat" : key, s.checkpointed, s.span, tensors,
                            home ? &home->place : nullptr);
  if (!home) body_.add_home(*(home = std::make_unique<Home>()), builder_.place());
  for (size_t i = 0; i < names.size(); ++i)
    *local(names[i]) = tensor_value(evaluator_, inner[i], builder_);
  bool was_lone = body_.lone_call_;
  body_.homes_.push_back(home.get());
  body_.lone_call_ = is_lone_call(*s.block);
  Flow flow = run_block(*s.block);
  body_.lone_call_ = was_lone;
  body_.homes_.pop_back();
  // Names first bound inside end with the loop.
  std::vector<graph::TensorId> results;
  for (size_t i = 0; i < names.size(); ++i) {
    Value* v = local(names[i]);
    graph::TensorId after = v->is(ValueKind::tensor) ? graph::TensorId{v->tensor->id} : inner[i];
    const graph::Tensor &in = builder_[inner[i]], &out = builder_[after];
    if (flow == Flow::next &&
        (!v->is(ValueKind::tensor) || !(in.shape == out.shape) || in.element != out.element)) {
      auto builder = evaluator_.diagnose(
          Kind::RepeatNotClosed, s.block->span,
          format("`{}` enters the repeat as {} and leaves it as {}", evaluator_.text(names[i]),
                 graph::to_string(in.shape), graph::to_string(out.shape)));
      builder.label(out.origin, format("made here: {}", graph::to_string(out.shape)));
      builder.help("a `for` may change shapes from one iteration to the next");
      evaluator_.sink().add(std::move(builder));
      flow = Flow::failed;
      after = inner[i];
    }
    results.push_back(flow == Flow::failed ? inner[i] : after);
  }
  std::vector<graph::TensorId> outer = builder_.end_repeat(results);
  if (flow == Flow::returned) {
    evaluator_.error(Kind::WrongOperands, s.span,
                     "`return` inside `repeat`: give the result after it");
    return Flow::failed;
  }
  env_->locals.resize(depth);
  for (size_t i = 0; i < names.size(); ++i)
    *local(names[i]) = tensor_value(evaluator_, outer[i], builder_);
  return flow;
}

MethodRun::Flow MethodRun::loop(const lang::Statement& s) {
  if (s.checkpointed) {
    evaluator_.error(
        Kind::NotEvaluated, s.span,
        "`for ... checkpointed` is read, but not recomputed in this version: use `repeat`");
    return Flow::failed;
  }
  Value list = evaluator_.evaluate(s.value, env_);
  llvm::SmallVector<Value, 16> items;
  if (list.poisoned() || !evaluator_.elements(list, s.value->span, items)) return Flow::failed;
  size_t depth = env_->locals.size();
  for (const Value& item : items) {
    if (!evaluator_.spend(s.span)) return Flow::failed;
    if (!evaluator_.bind_names(s.names, item, env_, s.value->span)) return Flow::failed;
    Flow flow = run_iteration(s);
    if (flow != Flow::next) return flow;
    env_->locals.resize(depth);
  }
  return Flow::next;
}

// An iteration that has a name keeps its layers under it.
MethodRun::Flow MethodRun::run_iteration(const lang::Statement& s) {
  std::string key = key_of(s);
  if (key.empty()) return run_block(*s.block);
  std::unique_ptr<Home>& home = instance_.loops[instance_.next(s.span)];
  if (!home)
    body_.add_home(*(home = std::make_unique<Home>()), {builder_.scope(), builder_.path_of(key)});
  builder_.enter(home->place);
  body_.homes_.push_back(home.get());
  Flow flow = run_block(*s.block);
  body_.homes_.pop_back();
  builder_.leave();
  return flow;
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

// Calls: functions, types, cases, models, natives; comprehensions as arguments; `x |> f`.
#include <llvm/ADT/STLExtras.h>

#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::Expr;
using lang::ExprKind;

Value Evaluator::callee(const Expr* e, Env* env, const Type* expected) {
  if (e->kind == ExprKind::name) return lookup(e->name, env, true, e->span, expected);
  if (e->kind == ExprKind::member) {  // LossScale.dynamic(...): a case with its payload
    chain_ = {e, e->a, expected, true};
    Value object = evaluate(e->a, env);
    if (object.is(ValueKind::shape))
      for (const Shape* c : object.shape->cases)
        if (c->name == e->name) {
          Value v = make_simple(ValueKind::shape);
          v.shape = c;
          return v;
        }
    return member_of(object, e->name, e->name_span, env);
  }
  return evaluate(e, env);
}

// The type that an argument is expected to have, so that cases of choices are found.
const Type* Evaluator::parameter_type(const Value& callee, const lang::Argument& argument,
                                      size_t position) {
  if (callee.is(ValueKind::function)) {
    const auto& parameters = callee.closure->function->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
      if (argument.name ? parameters[i].name == argument.name : i == position)
        return parameters[i].type ? type(parameters[i].type, callee.closure->env) : nullptr;
  }
  if (callee.is(ValueKind::shape)) {
    const auto& fields = callee.shape->fields;
    for (size_t i = 0; i < fields.size(); ++i)
      if (argument.name ? fields[i].name == argument.name : i == position)
        return fields[i].type ? type(fields[i].type, fields[i].env) : nullptr;
  }
  return nullptr;
}

bool Evaluator::evaluate_arguments(const Value& callee, const Expr* e, Env* env,
                                   llvm::SmallVectorImpl<EvaluatedArgument>& out) {
  bool good = true;
  size_t position = out.size();
  for (const lang::Argument& a : e->arguments) {
    const Type* expected = parameter_type(callee, a, position);
    // What is called is unknown, so nobody knows what its words mean.
    bool word_here = a.value->kind == ExprKind::name &&
                     (callee.poisoned() || (callee.is(ValueKind::native) &&
                                            callee.native->takes_word(text(a.name), position)));
    size_t place = position;
    if (!a.name) ++position;
    // What no parameter takes is told as that, whatever its value would be.
    if (callee.is(ValueKind::native) && a.name && !callee.native->has_parameter(text(a.name))) {
      out.push_back({a.name, make_string(""), a.value->span, nullptr, a.name_span});
      continue;
    }
    if (callee.is(ValueKind::native) && a.value->kind == ExprKind::name &&
        callee.native->is_word(text(a.name), place, text(a.value->name))) {
      out.push_back(
          {a.name, make_string(text(a.value->name)), a.value->span, nullptr, a.name_span});
      continue;
    }
    // Words such as `tanh` name a way of working: an operation takes a name that means nothing else
    // as text.
    if (word_here) {
      auto found = find(a.value->name, env, false, a.value->span, expected);
      Value v = found ? *found : make_string(text(a.value->name));
      good = good && !v.poisoned();
      out.push_back({a.name, v, a.value->span, nullptr, a.name_span});
      continue;
    }
    Value v = evaluate(a.value, env, expected);
    good = good && !v.poisoned();
    out.push_back({a.name, v, a.value->span, a.value, a.name_span});
  }
  return good;
}

Value Evaluator::call_expression(const Expr* e, Env* env, const Type* expected, Key key) {
  const Expr* around = std::exchange(calling_, e);
  Value f = callee(e->a, env, expected);
  calling_ = around;
  llvm::SmallVector<EvaluatedArgument, 6> arguments;
  if (f.is(ValueKind::native)) f.native->enter(e->span);
  bool good = evaluate_arguments(f, e, env, arguments);
  Value result =
      f.poisoned() || !good ? poison() : call(f, arguments, {e->span, e->a->span, key, env});
  if (f.is(ValueKind::native)) f.native->leave();
  return result;
}

namespace {

// `sum` folds numbers and is an operation on tensors too: the arguments decide.
const Native* overload(const Native* native, llvm::ArrayRef<EvaluatedArgument> arguments) {
  for (const EvaluatedArgument& a : arguments)
    if (a.value.is(ValueKind::tensor)) return native;
  const Native* other = builtin(native->name());
  return other ? other : native;
}

}  // namespace

Value Evaluator::call(const Value& f, llvm::ArrayRef<EvaluatedArgument> arguments,
                      const CallSite& site) {
  switch (f.kind) {
    case ValueKind::poison: return f;
    case ValueKind::function: return call_closure(*f.closure, arguments, site);
    case ValueKind::native: return overload(f.native, arguments)->call(*this, arguments, site);
    case ValueKind::shape: return call_shape(f.shape, arguments, site);
    case ValueKind::record:
      if (f.record->shape && f.record->shape->kind == ShapeKind::model && host_)
        return host_->apply_model(f.record, arguments, site);
      break;
    default: break;
  }
  auto builder =
      diagnose(Kind::NotCallable, site.callee_span, format("{} cannot be called", describe(f)));
  if (f.is(ValueKind::record)) Hints(*this).called(builder, site.callee_span, site.span, arguments);
  sink_.add(std::move(builder));
  return poison();
}

// One that no parameter takes, or a second one for the same.
Value Evaluator::wrong_argument(const lang::Function& f, const EvaluatedArgument& a, bool twice) {
  std::vector<std::string_view> known;
  std::string signature = std::string(text(f.name)) + "(";
  for (const lang::Parameter& p : f.parameters) {
    signature += (known.empty() ? "" : ", ") + std::string(text(p.name));
    known.push_back(text(p.name));
  }
  std::string headline = twice ? format("`{}` of `{}` is given twice", text(a.name), text(f.name))
                         : a.name ? format("`{}` has no parameter `{}`", text(f.name), text(a.name))
                                  : format("`{}` takes {} argument{}", text(f.name), known.size(),
                                           known.size() == 1 ? "" : "s");
  Span at = a.name_span.valid() ? a.name_span : a.span;
  auto builder = diagnose(Kind::WrongArguments, at, std::move(headline));
  if (!a.name)
    builder.help(format("called as `{})`", signature));
  else if (!twice)
    Hints(*this).member(builder, text(a.name), at, known, format("`{}`", text(f.name)));
  builder.label(f.span, "declared here");
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::missing_argument(const Closure& closure, const lang::Parameter& p, Span at) {
  const lang::Function& f = *closure.function;
  const Type* t = p.type ? type(p.type, closure.env) : nullptr;
  auto builder = diagnose(Kind::WrongArguments, at,
                          format("`{}` needs its argument `{}`", text(f.name), text(p.name)));
  builder.label(p.span, "declared here");
  if (t && t->kind == TypeKind::choice)
    builder.note(format("{} is one of {}", text(t->shape->name), Hints(*this).cases(t->shape)));
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::call_closure(const Closure& closure, llvm::ArrayRef<EvaluatedArgument> arguments,
                              const CallSite& site) {
  const lang::Function& f = *closure.function;
  if (!spend(site.span, 8)) return poison();
  auto running = running_.insert({&f, closure.self});
  if (!running.second) {
    sink_.add(diagnose(Kind::EvaluationCycle, site.callee_span, ring(&f, f.name, "calls itself"))
                  .label(f.span, "declared here")
                  .note("no function calls itself, so that every check ends"));
    return poison();
  }
  Value result = run_closure(closure, arguments, site);
  running_.erase(running.first);
  return result;
}

Value Evaluator::conform_argument(const Value& v, const Type* t, const EvaluatedArgument& a,
                                  const std::string& what) {
  if (!t) return v;
  bool written = a.expr && a.expr->span == a.span;
  return written ? conform(v, t, a.expr, what) : conform(v, t, a.span, what);
}

Value Evaluator::run_closure(const Closure& closure, llvm::ArrayRef<EvaluatedArgument> arguments,
                             const CallSite& site) {
  const lang::Function& f = *closure.function;
  WorkedOut here(*this, &f, f.name);
  Env* env = make<Env>();
  env->parent = closure.env;
  env->function_scope = true;
  size_t position = 0;
  std::vector<bool> given(f.parameters.size());
  for (const EvaluatedArgument& a : arguments) {
    size_t index = f.parameters.size();
    if (a.name) {
      for (size_t i = 0; i < f.parameters.size(); ++i)
        if (f.parameters[i].name == a.name) index = i;
    } else if (position < f.parameters.size()) {
      index = position++;
    }
    if (index == f.parameters.size() || given[index])
      return wrong_argument(f, a, index < f.parameters.size());
    given[index] = true;
    Value v = a.value;
    if (f.parameters[index].type)
      v = conform_argument(
          v, type(f.parameters[index].type, closure.env), a,
          format("argument `{}` of `{}`", text(f.parameters[index].name), text(f.name)));
    if (v.poisoned()) return v;
    env->locals.push_back({f.parameters[index].name, v});
  }
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    if (given[i]) continue;
    const lang::Parameter& p = f.parameters[i];
    if (!p.fallback) {
      return missing_argument(closure, p, site.span);
    }
    const Type* wanted = p.type ? type(p.type, closure.env) : nullptr;
    Value v = evaluate(p.fallback, env, wanted);
    if (wanted) v = conform(v, wanted, p.fallback, quoted(text(p.name)));
    env->locals.push_back({p.name, v});
  }
  const Type* result = f.result ? type(f.result, closure.env) : nullptr;
  Value v = evaluate(f.body, env, result);
  // A record's own function gives what its type says that it gives.
  if (!result && closure.signature && closure.signature->result)
    return conform(v, type(closure.signature->result, closure.signature_env), f.body->span,
                   format("`{}` of {}", text(f.name), kind_name(closure.self)));
  return result ? conform(v, result, site.span, format("the result of `{}`", text(f.name))) : v;
}

// x |> f(a) |> g: the left side becomes the first tensor of the right side.
Value Evaluator::pipe(const Expr* e, Env* env, Key key) {
  Value x = evaluate(e->a, env);
  if (x.poisoned()) return x;
  const Expr* target = e->b;
  Key target_key = key;
  if (target->kind == ExprKind::keyed) {
    target_key.given = true;
    target_key.span = target->name_span;
    if (target->b) {
      Value text_value = evaluate(target->b, env);
      if (!text_value.is(ValueKind::string)) return poison();
      target_key.name = names_.intern(text_value.string());
    } else {
      target_key.name = target->name;
    }
    target = target->a;
  }
  CallSite site{e->span, target->span, target_key, env};
  EvaluatedArgument first{{}, x, e->a->span};
  if (target->kind == ExprKind::name)
    return call(lookup(target->name, env, true, target->span, nullptr), first, site);
  if (target->kind == ExprKind::call) {
    Value f = callee(target->a, env, nullptr);
    if (f.poisoned()) return f;
    bool makes_model = f.is(ValueKind::shape) && f.shape->kind == ShapeKind::model;
    bool makes_layer = f.is(ValueKind::native) && f.native->takes_key();
    if (!makes_model && !makes_layer) {
      llvm::SmallVector<EvaluatedArgument, 6> arguments{first};
      if (!evaluate_arguments(f, target, env, arguments)) return poison();
      return call(f, arguments, site);
    }
  }
  Value f = evaluate(target, env);
  return call(f, first, site);
}

Value Evaluator::comprehension_call(const Expr* e, Env* env) {
  llvm::SmallVector<Value, 16> items;
  Value f = callee(e->a, env, nullptr);
  if (f.poisoned() || !comprehend(*e->comprehension, 0, env, items)) return poison();
  EvaluatedArgument list{{}, make_list(items), e->span};
  return call(f, list, {e->span, e->a->span, {}, env});
}

}  // namespace dtp::eval

// The switch over kinds of expression, and the small ones.
#include <cmath>

#include "eval/arithmetic.h"
#include "eval/common_assumptions.h"
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::Expr;
using lang::ExprKind;

// One expression on the way down.
class Evaluating {
 public:
  Evaluating(Evaluator& evaluator, const Expr* e, Env* env)
      : evaluator_(evaluator),
        set_off_(evaluator, e->span),
        here_(std::exchange(evaluator.here_, e)),
        here_env_(std::exchange(evaluator.here_env_, env)) {
    ++evaluator_.depth_;
  }
  ~Evaluating() {
    --evaluator_.depth_;
    evaluator_.here_ = here_;
    evaluator_.here_env_ = here_env_;
  }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

 private:
  Evaluator& evaluator_;
  SetOff set_off_;
  const Expr* here_;
  Env* here_env_;
};

namespace {

// The field that runs over these values; none where the `each` stands elsewhere.
Symbol swept_field(const Expr* e, const Env* env) {
  while (env && !env->record) env = env->parent;
  if (!env) return {};
  for (const Layer& layer : env->record->layers)
    for (const lang::FieldDef& field : layer.body->fields)
      if (field.value == e) return field.name;
  return {};
}

}  // namespace

Value Evaluator::evaluate(const Expr* e, Env* env, const Type* expected, Key key) {
  if (!e || !spend(e->span)) return poison();
  Evaluating guard(*this, e, env);
  if (too_deep(e->span)) return poison();
  switch (e->kind) {
    case ExprKind::error: return poison();
    case ExprKind::number:
    case ExprKind::quantity: return literal(e, env);
    case ExprKind::string: {
      if (e->pieces.empty()) return make_string("");
      if (e->pieces.size() == 1 && !e->pieces[0].hole) return make_string(e->pieces[0].text);
      bool good = true;
      std::string text = interpolate(e, env, Digits::plain, &good);
      return good ? make_string(text) : poison();
    }
    case ExprKind::boolean: return make_bool(e->flag);
    case ExprKind::none: {
      if (const Shape* c = case_of(expected, e->name)) return make_record(instantiate(c, e->span));
      return make_simple(ValueKind::none);
    }
    case ExprKind::hole: return asked(e, env, expected);
    case ExprKind::name: return lookup(e->name, env, false, e->span, expected);
    case ExprKind::member: return member(e, env, expected);
    case ExprKind::star: return star(e, env);
    case ExprKind::call: return call_expression(e, env, expected, key);
    case ExprKind::comprehension_call: return comprehension_call(e, env);
    case ExprKind::index: return index(e, env);
    case ExprKind::amend: return amendment(e, env, expected);
    case ExprKind::record: {
      auto* record = make<Record>();
      record->span = e->span;
      record->is_map = e->body->data || (expected && expected->kind == TypeKind::map);
      if (expected && expected->kind == TypeKind::map) {
        record->element = expected->element;
        record->key_type = expected->key;
      }
      record->layers.push_back({e->body, env, nullptr, nullptr});
      return make_record(record);
    }
    case ExprKind::keyed: return keyed(e, env, key);
    case ExprKind::list: {
      llvm::SmallVector<Value, 8> items;
      const Type* element =
          expected && expected->kind == TypeKind::list ? expected->element : nullptr;
      bool good = true;
      for (const Expr* item : e->items) {
        items.push_back(evaluate(item, env, element));
        good = good && !items.back().poisoned();
      }
      return good ? make_list(items) : poison();
    }
    case ExprKind::list_comprehension: {
      llvm::SmallVector<Value, 8> items;
      if (!comprehend(*e->comprehension, 0, env, items)) return poison();
      return make_list(items);
    }
    case ExprKind::binary: {
      if (e->op == lang::Op::and_ || e->op == lang::Op::or_ || e->op == lang::Op::implies ||
          e->op == lang::Op::otherwise)
        return logical(e, env, expected);
      if (e->op == lang::Op::is) return is_case(e, env);
      if (e->op == lang::Op::pipe) return pipe(e, env, key);
      if (e->a->kind == ExprKind::hole || e->b->kind == ExprKind::hole)
        return asked_beside(e, env, expected);
      auto [a, b] = operands(e, env);
      Value v = binary(e->op, a, b, e);
      if (estimates_overlap(e->op, v, a, b))
        if (auto settled = under_common_assumptions(*this, e, env)) {
          v.verdict = *settled;
          v.together = true;
        }
      return v;
    }
    case ExprKind::unary: {
      Value a = evaluate(e->a, env, e->op == lang::Op::not_ ? condition_type() : expected);
      if (a.poisoned()) return a;
      if (e->op == lang::Op::not_) {
        if (!a.is(ValueKind::boolean))
          return no_condition(e->a->span, format("`not` needs a condition, not {}", describe(a)),
                              a);
        Verdict v = a.verdict == Verdict::proved    ? Verdict::refuted
                    : a.verdict == Verdict::refuted ? Verdict::proved
                                                    : Verdict::undecided;
        Value opposite = make_bool(v, a.decided_by_estimate);
        opposite.of_unknown = a.of_unknown;
        return opposite;
      }
      if (a.is(ValueKind::unknown)) return a;
      if (a.is(ValueKind::tensor) && host_)
        return host_->tensor_operator(lang::Op::negate, a, {}, e->span);
      if (!a.is(ValueKind::number))
        return error(Kind::TypeMismatch, e->a->span,
                     format("`-` needs a number, not {}", describe(a)));
      return make_number(negate(*a.number).number);
    }
    case ExprKind::range: {
      const Type* end = expected && expected->kind == TypeKind::list ? expected->element : nullptr;
      Value lo = evaluate(e->a, env, end);
      Value hi = e->b ? evaluate(e->b, env, end) : make_simple(ValueKind::none);
      if (lo.poisoned() || hi.poisoned()) return poison();
      if (!lo.is(ValueKind::number) || (e->b && !hi.is(ValueKind::number)))
        return error(Kind::TypeMismatch, e->span, "the ends of a range are numbers");
      auto* range = make<RangeValue>();
      *range = {lo.number, e->b ? hi.number : nullptr, e->op == lang::Op::range_exclusive, nullptr};
      Value v = make_simple(ValueKind::range);
      v.range = range;
      return v;
    }
    case ExprKind::conditional: return conditional(e, env, expected, key);
    case ExprKind::choose: return choose(e, env, expected);
    case ExprKind::each:
      if (Symbol field = swept_field(e, env); field && enclosing_plan(env))
        return error(
            Kind::BadDeclaration, e->span,
            format("`{}` is swept: each run has its own, and here one is read", text(field)));
      return error(
          Kind::BadDeclaration, e->span,
          "`each` stands alone after the `=` of a plan's field: `recompute = each [none, full]`");
  }
  return poison();
}

// The type of what a list or a map on the right of `in` holds, or has as keys.
const Type* Evaluator::type_within(const Value& b) {
  if (b.is(ValueKind::record) && b.record->is_map) return b.record->key_type;
  if (b.is(ValueKind::list) && !b.items().empty())
    return type_beside(lang::Op::equal, b.items().front());
  return nullptr;
}

// `bf16 in gpu.peak`: a case on the left is found by what the right side has.
std::pair<Value, Value> Evaluator::operands(const Expr* e, Env* env) {
  bool names = e->op == lang::Op::in && e->a->kind == ExprKind::name &&
               (e->b->kind == ExprKind::member || e->b->kind == ExprKind::name);
  if (names) {
    Value b = evaluate(e->b, env);
    Value a = evaluate(e->a, env, type_within(b));
    return {a, b};
  }
  Value a = e->b->kind == ExprKind::none ? or_absent(e->a, env, nullptr) : evaluate(e->a, env);
  return {a, evaluate(e->b, env, type_beside(e->op, a))};
}

// Cases of a choice are found by the type of the other side: of `==`, and of the list after `in`.
const Type* Evaluator::type_beside(lang::Op op, const Value& a) {
  bool in = op == lang::Op::in;
  if (!in && op != lang::Op::equal && op != lang::Op::not_equal) return nullptr;
  if (!a.is(ValueKind::record) || !a.record->shape || !a.record->shape->choice) return nullptr;
  auto* choice = make<Type>();
  choice->kind = TypeKind::choice;
  choice->shape = a.record->shape->choice;
  if (!in) return choice;
  auto* list = make<Type>();
  list->kind = TypeKind::list;
  list->element = choice;
  return list;
}

Value Evaluator::literal(const Expr* e, Env* env) {
  const lang::Literal& l = *e->literal;
  Number n = l.exact ? exact_number(l.numerator, l.denominator) : real_number(l.value);
  if (!std::isfinite(n.interval.likely))
    return error(Kind::NumberOverflow, e->span, "this is larger than any number here");
  n.percent = l.percent;
  n.written = true;
  if (l.unit.empty()) return make_number(n);
  auto unit = units_.find(l.unit);
  if (!unit) {
    unknown_unit(e, env);
    return poison();
  }
  if (unit->symbol == "b" && unit->dimension == units::kMemoryDimension)
    Hints(*this).bits(e, *unit);
  Number scale = exact_number(unit->scale.numerator, unit->scale.denominator, unit->dimension);
  scale.decimal = unit->prefixed && !unit->binary;
  NumberResult product = multiply(n, scale);
  if (product.error != NumberError::none)
    product.number = real_number(l.value * unit->scale.value(), unit->dimension);
  product.number.unit = l.unit;
  return make_number(product.number);
}

void Evaluator::unknown_unit(const Expr* quantity, Env* env) {
  const lang::Literal& l = *quantity->literal;
  auto builder = diagnose(Kind::UnknownUnit, l.unit_span, format("there is no unit `{}`", l.unit));
  Hints(*this).unit(builder, quantity, env);
  sink_.add(std::move(builder));
}

Value Evaluator::no_condition(Span at, std::string headline, const Value& value) {
  auto builder = diagnose(Kind::TypeMismatch, at, std::move(headline));
  if (value.is(ValueKind::none))
    builder.help(
        "whether there is one is asked by `x is none`, and `x ?? y` gives a value where "
        "there is none");
  else if (value.is(ValueKind::number))
    builder.help("compare it with something, such as `x > 0`");
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::not_decided(Span at) {
  sink_.add(
      diagnose(Kind::NotDecided, at,
               "`if` needs a condition that is known exactly; this one depends on an estimate")
          .help("`x.likely` is a plain number, as are `x.lo` and `x.hi`"));
  return poison();
}

Value Evaluator::conditional(const Expr* e, Env* env, const Type* expected, Key key) {
  Value condition = evaluate(e->a, env, condition_type());
  if (condition.poisoned()) return condition;
  if (!condition.is(ValueKind::boolean))
    return no_condition(e->a->span, format("`if` needs a condition, not {}", describe(condition)),
                        condition);
  if (condition.verdict == Verdict::undecided) return not_decided(e->a->span);
  return evaluate(condition.truthy() ? e->b : e->c, env, expected, key);
}

// `and`, `or`, `implies` by Kleene's tables, and `??`. The right side is evaluated only where it
// can matter.
Value Evaluator::logical(const Expr* e, Env* env, const Type* expected) {
  if (e->op != lang::Op::otherwise) expected = condition_type();
  Value a =
      e->op == lang::Op::otherwise ? or_absent(e->a, env, expected) : evaluate(e->a, env, expected);
  if (a.poisoned()) return a;
  if (e->op == lang::Op::otherwise)
    return a.is(ValueKind::none) ? evaluate(e->b, env, expected) : a;
  auto need = [&](const Value& v, const Expr* side) {
    if (v.is(ValueKind::boolean)) return true;
    if (!v.poisoned())
      no_condition(side->span,
                   format("`{}` joins conditions, and this is {}", spelling(e->op), describe(v)),
                   v);
    return false;
  };
  if (!need(a, e->a)) return poison();
  bool decides = e->op == lang::Op::and_  ? a.verdict == Verdict::refuted
                 : e->op == lang::Op::or_ ? a.verdict == Verdict::proved
                                          : a.verdict == Verdict::refuted;
  if (decides)
    return make_bool(e->op == lang::Op::and_ ? Verdict::refuted : Verdict::proved,
                     a.decided_by_estimate);
  Value b = evaluate(e->b, env, expected);
  if (!need(b, e->b)) return poison();
  Verdict left = a.verdict, right = b.verdict;
  if (e->op == lang::Op::implies)
    left = left == Verdict::proved    ? Verdict::refuted
           : left == Verdict::refuted ? Verdict::proved
                                      : left;
  Verdict strong = e->op == lang::Op::and_ ? Verdict::refuted : Verdict::proved;
  Verdict weak = e->op == lang::Op::and_ ? Verdict::proved : Verdict::refuted;
  Verdict v = left == strong || right == strong                           ? strong
              : left == Verdict::undecided || right == Verdict::undecided ? Verdict::undecided
                                                                          : weak;
  Value both = make_bool(v, a.decided_by_estimate || b.decided_by_estimate);
  both.of_unknown = v == Verdict::undecided && (a.of_unknown || b.of_unknown);
  return both;
}

Value Evaluator::keyed(const Expr* e, Env* env, Key key) {
  key.span = e->name_span;
  key.given = true;
  if (e->b) {
    Value text = evaluate(e->b, env);
    if (!text.is(ValueKind::string)) return poison();
    key.name = names_.intern(text.string());
  } else {
    key.name = e->name;
  }
  Value v = evaluate(e->a, env, nullptr, key);
  if (v.is(ValueKind::shape) && v.shape->kind == ShapeKind::model)
    v = make_record(instantiate(v.shape, e->a->span));
  bool model =
      v.is(ValueKind::record) && v.record->shape && v.record->shape->kind == ShapeKind::model;
  bool layer = v.is(ValueKind::native) || v.is(ValueKind::tensor) || v.is(ValueKind::tuple);
  if (!model && !layer && !v.poisoned())
    return error(Kind::WrongOperands, key.span,
                 format("`as` names a layer or a model, and this is {}", describe(v)));
  if (model && v.record->key != key.name) {
    auto* named = make<Record>(*v.record);
    named->key = key.name;
    return make_record(named);
  }
  bool made = e->a->kind == ExprKind::call || e->a->kind == ExprKind::conditional ||
              e->a->kind == ExprKind::keyed || e->a->op == lang::Op::pipe;
  if (v.is(ValueKind::tensor) && !made && !key.part)
    return error(Kind::WrongOperands, e->name_span,
                 "`as` names the layer or model that a call makes, and here is no call");
  return v;
}

Value Evaluator::star(const Expr* e, Env* env) {
  Value object = evaluate(e->a, env);
  if (object.poisoned()) return object;
  llvm::SmallVector<Value, 16> all;
  if (object.is(ValueKind::module)) {
    for (lang::DeclEntry& entry : object.module->entries)
      if (entry.kind == lang::DeclKind::let) all.push_back(declared(object.module, entry));
    return make_list(all);
  }
  if (object.is(ValueKind::record)) {
    for (Symbol k : keys(object.record)) all.push_back(field(object.record, k, e->span));
    return make_list(all);
  }
  return error(Kind::TypeMismatch, e->a->span,
               format("`.*` lists a file's values, and this is {}", describe(object)));
}

}  // namespace dtp::eval

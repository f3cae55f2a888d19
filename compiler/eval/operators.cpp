// Binary operators on values.
#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::Op;

Value Evaluator::binary(Op op, const Value& a, const Value& b, const lang::Expr* e) {
  if (a.poisoned() || b.poisoned()) return poison();
  switch (op) {
    case Op::equal:
    case Op::not_equal: return equality(op, a, b, e);
    case Op::in: return contains(a, b, e);
    default: break;
  }
  if (a.is(ValueKind::unknown) || b.is(ValueKind::unknown)) {
    bool comparison =
        op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal;
    return comparison ? make_bool(Verdict::undecided, true) : a.is(ValueKind::unknown) ? a : b;
  }
  if (a.is(ValueKind::open) || b.is(ValueKind::open)) return a.is(ValueKind::open) ? a : b;
  if (a.is(ValueKind::tensor) || b.is(ValueKind::tensor))
    return host_ ? host_->tensor_operator(op, a, b, e->span) : poison();
  if (a.is(ValueKind::dim) || b.is(ValueKind::dim)) return arithmetic_dim(op, a, b, e);
  if (op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal)
    return compare(op, a, b, e);
  if (op == Op::by && a.is(ValueKind::range) && b.is(ValueKind::number)) {
    auto* range = make<RangeValue>(*a.range);
    range->step = b.number;
    Value v = a;
    v.range = range;
    return v;
  }
  if (op == Op::add && a.is(ValueKind::list) && b.is(ValueKind::list)) {
    if (!spend(e->span, a.items().size() + b.items().size())) return poison();
    llvm::SmallVector<Value, 16> all(a.items().begin(), a.items().end());
    all.append(b.items().begin(), b.items().end());
    return make_list(all);
  }
  if (op == Op::add && (a.is(ValueKind::shell) || b.is(ValueKind::shell)))
    return spend(e->span, 4 * (a.is(ValueKind::shell) ? a.shell->size() : 1)) ? shell_join(a, b)
                                                                              : poison();
  if (op == Op::add && a.is(ValueKind::string) && b.is(ValueKind::string) &&
      !spend(e->span, (a.string().size() + b.string().size()) / 8))
    return poison();
  if (op == Op::add && a.is(ValueKind::string) && b.is(ValueKind::string))
    return make_string(std::string(a.string()) + std::string(b.string()));
  if (!a.is(ValueKind::number) || !b.is(ValueKind::number)) {
    const Value& wrong = a.is(ValueKind::number) ? b : a;
    const lang::Expr* side = a.is(ValueKind::number) ? e->b : e->a;
    Value other = a.is(ValueKind::number) ? a : b;
    return no_number(e, side ? side->span : e->span, wrong, other,
                     format("`{}` needs numbers, and this is {}", spelling(op), describe(wrong)));
  }
  NumberResult r;
  switch (op) {
    case Op::add: r = add(*a.number, *b.number); break;
    case Op::subtract: r = subtract(*a.number, *b.number); break;
    case Op::multiply: r = multiply(*a.number, *b.number); break;
    case Op::divide: r = divide(*a.number, *b.number); break;
    case Op::modulo: r = modulo(*a.number, *b.number); break;
    case Op::power: r = power(*a.number, *b.number); break;
    default:
      return error(Kind::TypeMismatch, e->span,
                   format("`{}` does not fit these values", spelling(op)));
  }
  return number_error(r, op, *a.number, *b.number, e);
}

Value Evaluator::no_number(const lang::Expr* e, Span at, const Value& wrong, const Value& other,
                           std::string headline) {
  auto builder = diagnose(Kind::TypeMismatch, at, std::move(headline));
  Hints(*this).no_number(builder, e->op, wrong, other);
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::compare(Op op, const Value& a, const Value& b, const lang::Expr* e) {
  if (a.is(ValueKind::string) && b.is(ValueKind::string)) {  // dates compare as text
    bool less = a.string() < b.string(), same = a.string() == b.string();
    bool holds = op == Op::less         ? less
                 : op == Op::less_equal ? less || same
                 : op == Op::greater    ? !less && !same
                                        : !less;
    return make_bool(holds);
  }
  if (!a.is(ValueKind::number) || !b.is(ValueKind::number)) {
    const Value& wrong = a.is(ValueKind::number) ? b : a;
    const lang::Expr* side = a.is(ValueKind::number) ? e->b : e->a;
    return no_number(
        e, side->span, wrong, a.is(ValueKind::number) ? a : b,
        format("`{}` compares numbers, and this is {}", spelling(op), describe(wrong)));
  }
  const Number &x = *a.number, &y = *b.number;
  std::optional<Verdict> v = compared(op, x, y);
  if (!v) {
    NumberResult r{{}, NumberError::dimensions};
    return number_error(r, op, x, y, e);
  }
  return make_bool(*v, !x.is_point() || !y.is_point());
}

bool Evaluator::estimates_overlap(Op op, const Value& v, const Value& a, const Value& b) const {
  bool comparison =
      op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal;
  return comparison && !supposing_ && host_ && v.is(ValueKind::boolean) &&
         v.verdict == Verdict::undecided && a.is(ValueKind::number) && b.is(ValueKind::number) &&
         !a.number->is_point() && !b.number->is_point();
}

Value Evaluator::is_case(const lang::Expr* e, Env* env) {
  Value a = evaluate(e->a, env);
  if (a.poisoned()) return a;
  if (e->b->kind == lang::ExprKind::none) return make_bool(a.is(ValueKind::none));
  if (a.is(ValueKind::none)) return make_bool(false);
  if (a.is(ValueKind::unknown) || a.is(ValueKind::open)) return make_bool(Verdict::undecided, true);
  if (a.is(ValueKind::record) && a.record->shape && a.record->shape->choice)
    return has_case(a, e->b, env);
  Value b = evaluate(e->b, env);
  if (b.poisoned()) return b;
  if (!b.is(ValueKind::shape))
    return error(Kind::TypeMismatch, e->b->span,
                 format("`is` needs a case or a type, not {}", describe(b)));
  return make_bool(a.is(ValueKind::record) && a.record->shape && a.record->shape->is_a(b.shape));
}

// `x is petrol`, `x is Fuel.petrol`, `x is Fuel`.
Value Evaluator::has_case(const Value& a, const lang::Expr* wanted, Env* env) {
  const Shape* choice = a.record->shape->choice;
  if (wanted->kind == lang::ExprKind::name) {
    for (const Shape* c : choice->cases)
      if (c->name == wanted->name) return make_bool(a.record->shape == c);
    NullSink quiet;
    DiagnosticSink* before = swap_sink(&quiet);
    Value type_name = lookup(wanted->name, env, false, wanted->span, nullptr);
    swap_sink(before);
    if (!type_name.is(ValueKind::shape)) return unknown_case(choice, wanted->name, wanted->span);
    return make_bool(a.record->shape->is_a(type_name.shape));
  }
  Value b = evaluate(wanted, env);
  if (b.poisoned()) return b;
  const Shape* named = b.is(ValueKind::shape)                       ? b.shape
                       : b.is(ValueKind::record) && b.record->shape ? b.record->shape
                                                                    : nullptr;
  bool a_case = named && named->choice && wanted->kind == lang::ExprKind::member;
  if (!b.is(ValueKind::shape) && !a_case)
    return error(Kind::TypeMismatch, wanted->span,
                 format("`is` needs a case or a type, not {}", describe(b)));
  if (a_case && named->choice != choice)
    return error(Kind::UnknownCase, wanted->span,
                 format("`{}` is a case of {}, and this is {}", text(named->name),
                        text(named->choice->name), text(choice->name)));
  return make_bool(a_case ? a.record->shape == named : a.record->shape->is_a(named));
}

// Sizes that grow with the batch: c * B can be scaled by whole numbers, and no more.
Value Evaluator::arithmetic_dim(Op op, const Value& a, const Value& b, const lang::Expr* e) {
  auto whole = [](const Value& v) {
    return v.is(ValueKind::number) && v.number->whole() && v.number->dimension.is_none();
  };
  Value r = make_simple(ValueKind::dim);
  if (op == Op::multiply && a.is(ValueKind::dim) && whole(b)) {
    r.dim = a.dim * static_cast<int64_t>(b.number->numerator);
    return r;
  }
  if (op == Op::multiply && b.is(ValueKind::dim) && whole(a)) {
    r.dim = b.dim * static_cast<int64_t>(a.number->numerator);
    return r;
  }
  if (op == Op::divide && a.is(ValueKind::dim) && whole(b) &&
      a.dim % static_cast<int64_t>(b.number->numerator) == 0) {
    r.dim = a.dim / static_cast<int64_t>(b.number->numerator);
    return r;
  }
  if (op == Op::divide && a.is(ValueKind::dim) && b.is(ValueKind::dim) && b.dim != 0)
    return make_number(exact_number(a.dim, b.dim));
  return error(
      Kind::TypeMismatch, e->span,
      format("`{}` on the batch size: inside a model it can only be scaled by a whole number",
             spelling(op)));
}

Value Evaluator::shell_join(const Value& a, const Value& b) {
  auto* pieces = make<llvm::SmallVector<ShellPiece, 4>>();
  for (const Value* v : {&a, &b}) {
    if (v->is(ValueKind::shell))
      pieces->append(v->shell->begin(), v->shell->end());
    else
      pieces->push_back({false, keep(print(*v))});
  }
  auto* kept = make<llvm::ArrayRef<ShellPiece>>();
  *kept = *pieces;
  Value v = make_simple(ValueKind::shell);
  v.shell = kept;
  return v;
}

}  // namespace dtp::eval

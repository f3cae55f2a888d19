// `?`: what is wanted in its place, as far as what stands around it tells.
#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::Expr;
using lang::ExprKind;
using lang::Op;

Value Evaluator::asked(const Expr* e, Env* env, const Type* wanted) {
  bool known = wanted && wanted->kind != TypeKind::any;
  auto builder = diagnose(Kind::HoleLeft, e->span,
                          format("`?`: {} is needed here", known ? print(wanted) : "a value"));
  if (known) Hints(*this).fits(builder, wanted, env);
  sink_.add(std::move(builder));
  return poison();
}

const Type* Evaluator::quantity_of(const units::Dimension& dimension) {
  Type type;
  type.kind = dimension.is_none() ? TypeKind::real : TypeKind::quantity;
  type.name = names_.intern("Real");
  type.dimension = dimension;
  return make<Type>(type);
}

// What the other side of an operator, and what the whole is wanted to be, make of a `?`.
const Type* Evaluator::wanted_beside(const Expr* e, const Value& other, const Type* whole) {
  bool left = e->a->kind == ExprKind::hole;
  const Type* plain = whole;
  while (plain && plain->kind == TypeKind::optional) plain = plain->element;
  bool product = e->op == Op::multiply || e->op == Op::divide;
  if (!other.is(ValueKind::number)) {
    const Type* beside = type_beside(e->op, other);
    if (beside || e->op == Op::in) return beside;
    if (other.is(ValueKind::string)) return simple_type(TypeKind::string, names_.intern("String"));
    if (other.is(ValueKind::boolean)) return simple_type(TypeKind::boolean, names_.intern("Bool"));
    return nullptr;
  }
  const units::Dimension& d = other.number->dimension;
  if (e->op == Op::in) return nullptr;
  if (e->op == Op::power) return left ? nullptr : quantity_of({});
  if (!product) return quantity_of(d);
  if (!plain) return nullptr;
  // A family's member is not known: `2 * ?` is of the family where the other side is a plain
  // number.
  if (plain->kind == TypeKind::family)
    return d.is_none() && e->op == Op::multiply ? plain : nullptr;
  bool number = plain->kind == TypeKind::quantity || plain->kind == TypeKind::integer ||
                plain->kind == TypeKind::real;
  if (!number) return nullptr;
  const units::Dimension& w = plain->dimension;
  if (e->op == Op::multiply) return quantity_of(w / d);
  return quantity_of(left ? w * d : d / w);
}

// One or both sides of an operator ask.
Value Evaluator::asked_beside(const Expr* e, Env* env, const Type* whole) {
  bool both = e->a->kind == ExprKind::hole && e->b->kind == ExprKind::hole;
  const Expr* hole = e->a->kind == ExprKind::hole ? e->a : e->b;
  const Expr* other = hole == e->a ? e->b : e->a;
  if (both) asked(e->a, env, nullptr);
  if (both) return asked(e->b, env, nullptr);
  Value v = evaluate(other, env);
  return asked(hole, env, v.poisoned() ? nullptr : wanted_beside(e, v, whole));
}

}  // namespace dtp::eval

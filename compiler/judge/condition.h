// The form of a condition: what it compares, and what it speaks of.
#pragma once
#include "lang/program.h"

namespace dtp::judge {

inline bool is_comparison(const lang::Expr* e) {
  return e->kind == lang::ExprKind::binary &&
         (e->op == lang::Op::less || e->op == lang::Op::less_equal || e->op == lang::Op::greater ||
          e->op == lang::Op::greater_equal || e->op == lang::Op::equal ||
          e->op == lang::Op::not_equal || e->op == lang::Op::in);
}

inline bool is_literal(const lang::Expr* e) {
  return e->kind == lang::ExprKind::number || e->kind == lang::ExprKind::quantity;
}

// What a condition speaks of: the side of a comparison that is no plain number.
inline const lang::Expr* operand_of(const lang::Expr* c) {
  if (!is_comparison(c)) return c;
  return is_literal(c->a) ? c->b : c->a;
}

}  // namespace dtp::judge

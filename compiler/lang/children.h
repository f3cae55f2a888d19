// The expressions right below an expression, in the order of the text. What stands in the { } of a
// record is not among them: it has a scope of its own.
#pragma once
#include "lang/declaration.h"

namespace dtp::lang {

template <class Visit>
void for_each_child(const Expr& e, Visit visit) {
  auto one = [&](const Expr* child) {
    if (child) visit(*child);
  };
  one(e.a);
  one(e.b);
  one(e.c);
  for (const Expr* item : e.items) one(item);
  for (const Argument& argument : e.arguments) one(argument.value);
  for (const StringPiece& piece : e.pieces) one(piece.hole);
  if (!e.comprehension) return;
  for (const Comprehension::Loop& loop : e.comprehension->loops) one(loop.list);
  one(e.comprehension->element);
  one(e.comprehension->condition);
}

}  // namespace dtp::lang

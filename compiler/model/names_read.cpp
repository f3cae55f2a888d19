#include "model/names_read.h"

namespace dtp::model {
namespace {

void collect(const lang::Expr* e, std::vector<Symbol>& out) {
  if (!e) return;
  if (e->kind == lang::ExprKind::name) out.push_back(e->name);
  for (const lang::Expr* child : {e->a, e->b, e->c}) collect(child, out);
  for (const lang::Expr* item : e->items) collect(item, out);
  for (const lang::Argument& a : e->arguments) collect(a.value, out);
  for (const lang::StringPiece& piece : e->pieces) collect(piece.hole, out);
  if (!e->comprehension) return;
  collect(e->comprehension->element, out);
  for (const lang::Comprehension::Loop& loop : e->comprehension->loops) collect(loop.list, out);
  collect(e->comprehension->condition, out);
}

}  // namespace

std::vector<Symbol> names_read(const lang::Expr* expression) {
  std::vector<Symbol> names;
  collect(expression, names);
  return names;
}

}  // namespace dtp::model

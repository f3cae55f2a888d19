#include "model/names_read.h"

#include "lang/children.h"

namespace dtp::model {
namespace {

using lang::Expr;
using lang::ExprKind;

void collect_names(const Expr& e, std::vector<Symbol>& names) {
  if (e.kind == ExprKind::name) names.push_back(e.name);
  lang::for_each_child(e, [&](const Expr& child) { collect_names(child, names); });
}

// A part has its place already, a small letter makes nothing.
bool may_make(const Expr& callee, const Interner& names) {
  switch (callee.kind) {
    case ExprKind::keyed: return may_make(*callee.a, names);
    case ExprKind::index: return false;
    case ExprKind::name:
    case ExprKind::member: {
      std::string_view name = names.text(callee.name);
      return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
    }
    default: return true;
  }
}

}  // namespace

std::vector<Symbol> names_read(const Expr* expression) {
  std::vector<Symbol> names;
  if (expression) collect_names(*expression, names);
  return names;
}

int makers_in(const Expr& e, const Interner& names) {
  int count = 0;
  auto add = [&](const Expr& child) { count += makers_in(child, names); };
  if (e.kind == ExprKind::call && may_make(*e.a, names)) {
    for (const lang::Argument& a : e.arguments) add(*a.value);
    return count + 1;
  }
  if (e.kind == ExprKind::binary && e.op == lang::Op::pipe && e.b->kind != ExprKind::call) {
    add(*e.a);
    return count + (may_make(*e.b, names) ? 1 : 0);
  }
  lang::for_each_child(e, add);
  return count;
}

}  // namespace dtp::model

#include <algorithm>

#include "eval/hints.h"
#include "lang/children.h"
#include "sema/name_check.h"

namespace dtp::sema {

using eval::Shape;
using eval::ShapeKind;
using eval::Type;
using eval::TypeKind;
using lang::Expr;
using lang::ExprKind;
using lang::Op;

NameCheck::Meaning NameCheck::visit(const Expr* e, const Scope& scope, const Type* expected) {
  if (!e) return {};
  switch (e->kind) {
    case ExprKind::name: return value_named(e->name, scope, e->span, expected);
    case ExprKind::member: return member(visit(e->a, scope), e->name, e->name_span);
    case ExprKind::call: return call(e, scope, expected, false);
    case ExprKind::comprehension_call:
      callee(e->a, scope, expected);
      comprehension(*e->comprehension, scope);
      return {};
    case ExprKind::list_comprehension: comprehension(*e->comprehension, scope); return {};
    case ExprKind::amend: return amendment(e, scope, expected);
    case ExprKind::record: {
      const Type* type = plain(expected);
      bool record = type && type->kind == TypeKind::record;
      body(inside(*e->body, type, record ? type->shape : nullptr, scope),
           type ? type->element : nullptr);
      return {};
    }
    case ExprKind::keyed: visit(e->b, scope); return visit(e->a, scope, expected);
    case ExprKind::quantity:
      if (unrun() && !e->literal->unit.empty() && !told_.contains(e->literal->unit_span.begin) &&
          !ev_.units().find(e->literal->unit))
        ev_.unknown_unit(e, env_);
      return {};
    case ExprKind::list: {
      const Type* list = plain(expected);
      for (const Expr* item : e->items)
        visit(item, scope, list && list->kind == TypeKind::list ? list->element : nullptr);
      return {};
    }
    case ExprKind::index: {
      const Type* list = plain(visit(e->a, scope).type);
      bool map = list && list->kind == TypeKind::map;
      for (const Expr* item : e->items) visit(item, scope, map ? list->key : nullptr);
      Meaning element;
      bool one = e->items.size() == 1 && e->items[0]->kind != ExprKind::range;
      if (one && list && list->kind == TypeKind::list) element.type = list->element;
      return element;
    }
    case ExprKind::binary: return binary(e, scope, expected);
    case ExprKind::conditional:
      visit(e->a, scope);
      visit(e->b, scope, expected);
      visit(e->c, scope, expected);
      return {};
    case ExprKind::hole:
      report(Kind::HoleLeft, e->span,
             format("`?`: {} is needed here", expected ? ev_.print(expected) : "a value"));
      told_.insert(e->span.begin);
      return {};
    case ExprKind::choose:
    case ExprKind::each: visit(e->a, scope, list_of(expected)); return {};
    default: lang::for_each_child(*e, [&](const Expr& child) { visit(&child, scope); }); return {};
  }
}

NameCheck::Meaning NameCheck::binary(const Expr* e, const Scope& scope, const Type* expected) {
  if (e->op == Op::is) {
    is(e, scope);
    return {};
  }
  if (e->op == Op::pipe) {
    visit(e->a, scope);
    pipe_target(e->b, scope);
    return {};
  }
  if (e->op == Op::otherwise) {
    Meaning value = visit(e->a, scope, expected);
    visit(e->b, scope, expected);
    value.type = plain(value.type);
    return value;
  }
  // Cases are found by the type of the other side.
  bool named = e->op == Op::in && e->a->kind == ExprKind::name &&
               (e->b->kind == ExprKind::name || e->b->kind == ExprKind::member);
  if (named) {
    const Type* within = plain(visit(e->b, scope).type);
    bool map = within && within->kind == TypeKind::map;
    const Type* wanted = !within ? nullptr : map ? within->key : within->element;
    if (wanted) visit(e->a, scope, wanted);
    return {};
  }
  const Type* left = plain(visit(e->a, scope).type);
  bool choice = left && left->kind == TypeKind::choice;
  const Type* right = !choice                                        ? nullptr
                      : e->op == Op::in                              ? list_of(left)
                      : e->op == Op::equal || e->op == Op::not_equal ? left
                                                                     : nullptr;
  visit(e->b, scope, right);
  return {};
}

// `x is petrol` names a case of x, which is found when x is known.
void NameCheck::is(const Expr* e, const Scope& scope) {
  const Type* type = plain(visit(e->a, scope).type);
  if (e->b->kind != ExprKind::name) {
    visit(e->b, scope);
    return;
  }
  Meaning known;
  if (find_value(e->b->name, scope, type, known) || !unrun()) return;
  if (type && type->kind == TypeKind::choice)
    report(Kind::UnknownCase, e->b->span,
           format("`{}` is no case of {}", ev_.text(e->b->name), ev_.text(type->shape->name)),
           ev_.text(e->b->name), case_names(*type->shape), ev_.text(type->shape->name));
  else
    report_unknown(e->b->name, scope, false, e->b->span);
}

NameCheck::Meaning NameCheck::callee(const Expr* e, const Scope& scope, const Type* expected) {
  if (e->kind == ExprKind::name) return callable_named(e->name, scope, e->span, expected);
  if (e->kind != ExprKind::member) return visit(e, scope);
  Meaning object = visit(e->a, scope);
  if (object.shape)
    for (const Shape* c : object.shape->cases)
      if (c->name == e->name) {
        Meaning found;
        found.shape = c;
        return found;
      }
  return member(object, e->name, e->name_span);
}

NameCheck::Meaning NameCheck::call(const Expr* e, const Scope& scope, const Type* expected,
                                   bool piped) {
  Meaning f = callee(e->a, scope, expected);
  arguments(f, e, scope, piped);
  if (unrun()) missing_argument(f, e, piped);
  if (f.function) {
    Meaning result;
    result.type = ev_.type(f.function->result, f.env);
    return result;
  }
  if (!f.shape) return {};
  return of_type(f.shape->kind == ShapeKind::model    ? TypeKind::model
                 : f.shape->kind == ShapeKind::record ? TypeKind::record
                                                      : TypeKind::choice,
                 f.shape->choice ? f.shape->choice : f.shape);
}

void NameCheck::pipe_target(const Expr* e, const Scope& scope) {
  if (e->kind == ExprKind::keyed) {
    visit(e->b, scope);
    e = e->a;
  }
  if (e->kind == ExprKind::name)
    callable_named(e->name, scope, e->span, nullptr);
  else if (e->kind == ExprKind::call)
    call(e, scope, nullptr, true);
  else
    visit(e, scope);
}

// Arguments by name and number, where it is known what is called. A model may be handed tensors
// instead, and what is piped comes first.
void NameCheck::arguments(const Meaning& f, const Expr* call, const Scope& scope, bool piped) {
  size_t position = piped ? 1 : 0;
  for (const lang::Argument& a : call->arguments) {
    const Type* expected = nullptr;
    bool known = true;
    auto parameter = [&](const auto& all, eval::Env* own) {
      known = false;
      for (size_t i = 0; i < all.size(); ++i) {
        if (a.name ? all[i].name != a.name : i != position) continue;
        known = true;
        eval::Env* env = own;
        if constexpr (requires { all[i].env; }) env = all[i].env;
        expected = ev_.type(all[i].type, env);
      }
    };
    if (f.function) parameter(f.function->parameters, f.env);
    if (f.shape) parameter(f.shape->fields, nullptr);
    if (!known && a.name && unrun()) unknown_argument(f, a);
    if (f.native && a.name && !f.native->has_parameter(ev_.text(a.name))) {
      if (unrun())
        report(Kind::WrongArguments, a.name_span,
               format("`{}` has no parameter `{}`", f.native->name(), ev_.text(a.name)));
      continue;
    }
    if (!known && !a.name && f.function && !piped && unrun())
      report(Kind::WrongArguments, a.value->span,
             format("`{}` takes {} argument(s)", ev_.text(f.function->name),
                    f.function->parameters.size()));
    if (!a.name) ++position;
    Meaning word;
    if (may_be_word(f, a, a.name ? 0 : position - 1) &&
        !find_value(a.value->name, scope, nullptr, word))
      continue;
    visit(a.value, scope, expected);
  }
}

void NameCheck::unknown_argument(const Meaning& f, const lang::Argument& a) {
  Symbol callee = f.function ? f.function->name : f.shape->name;
  report(f.function ? Kind::WrongArguments : Kind::UnknownField,
         a.name_span.valid() ? a.name_span : a.value->span,
         f.function ? format("`{}` has no parameter `{}`", ev_.text(callee), ev_.text(a.name))
                    : format("{} has no field `{}`", ev_.text(callee), ev_.text(a.name)),
         ev_.text(a.name), parameter_names(f), format("`{}`", ev_.text(callee)));
}

// What a call must give and does not. A model without a parameter that it needs is handed tensors.
void NameCheck::missing_argument(const Meaning& f, const lang::Expr* call, bool piped) {
  if (piped || told_.contains(call->span.begin)) return;
  auto missing = [&](const auto& all) -> Symbol {
    for (const lang::Argument& a : call->arguments)
      if (a.name &&
          std::none_of(all.begin(), all.end(), [&](const auto& p) { return p.name == a.name; }))
        return {};  // told: it may be what is missing
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].fallback || (all[i].type && all[i].type->optional)) continue;
      size_t position = 0;
      bool given = false;
      for (const lang::Argument& a : call->arguments)
        given = given || (a.name ? a.name == all[i].name : position++ == i);
      if (!given) return all[i].name;
    }
    return {};
  };
  bool model = f.shape && f.shape->kind == ShapeKind::model;
  Symbol name = f.function ? missing(f.function->parameters)
                : model    ? missing(f.shape->fields)
                           : Symbol{};
  if (!name) return;
  Symbol callee = f.function ? f.function->name : f.shape->name;
  report(Kind::WrongArguments, call->span,
         format("`{}` needs its argument `{}`", ev_.text(callee), ev_.text(name)));
}

// An operation takes a name that means nothing else as a word; of what is missing it is not known.
bool NameCheck::may_be_word(const Meaning& f, const lang::Argument& a, size_t position) const {
  if (a.value->kind != ExprKind::name) return false;
  return f.missing || (f.native && f.native->takes_word(ev_.text(a.name), position));
}

NameCheck::Meaning NameCheck::amendment(const Expr* e, const Scope& scope, const Type* expected) {
  Meaning base = visit(e->a, scope, expected);
  Meaning result = base;
  if (base.function) {
    result = {};
    result.type = ev_.type(base.function->result, base.env);
  }
  const Type* type = plain(result.type);
  const Shape* shape = base.shape ? base.shape : nullptr;
  if (type && (type->kind == TypeKind::record || type->kind == TypeKind::model))
    shape = type->shape;
  if (shape && shape->kind == ShapeKind::choice) shape = nullptr;
  if (shape && shape->kind == ShapeKind::record && shape->decl->alias) {
    type = ev_.type(shape->decl->alias, shape->env);
    shape = nullptr;
  }
  Scope amended = inside(*e->body, type, shape, scope);
  amended.base = base.record;
  amended.open = amended.open || (!base.shape && !base.record);
  body(amended, type ? type->element : nullptr);
  if (base.shape && shape)
    return of_type(shape->kind == ShapeKind::model    ? TypeKind::model
                   : shape->kind == ShapeKind::record ? TypeKind::record
                                                      : TypeKind::choice,
                   shape->choice ? shape->choice : shape);
  return base.shape ? Meaning{} : result;
}

void NameCheck::comprehension(const lang::Comprehension& c, const Scope& scope) {
  Scope inside{&scope};
  for (const lang::Comprehension::Loop& loop : c.loops) {
    const Type* list = plain(visit(loop.list, inside).type);
    for (Symbol name : loop.names) {
      Meaning element;
      if (loop.names.size() == 1 && list && list->kind == TypeKind::list)
        element.type = list->element;
      inside.names.push_back({name, element});
    }
  }
  visit(c.condition, inside);
  visit(c.element, inside);
}

}  // namespace dtp::sema

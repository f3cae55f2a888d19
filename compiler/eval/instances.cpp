// Records made of a type, a case or a model, `T(a, b)` and `T { x = a }`, and of another record,
// `base { x = a }`.
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::Expr;
using lang::ExprKind;

// A model that is written in the body of another is made once: a second call of that body means the
// same one, with the same parts.
template <class Make>
Value Evaluator::once_in_body(const Shape* shape, Span site, Make make) {
  if (!host_ || !shape || shape->kind != ShapeKind::model) return make();
  Value* made = host_->made_at(site);
  if (made && made->is(ValueKind::record) && made->record->shape == shape) return *made;
  Value v = make();
  if (!v.is(ValueKind::record)) return v;
  v.record->home = host_->home();
  if (made) *made = v;
  return v;
}

// T(a, b): arguments fill the shape's fields by order or name.
Value Evaluator::call_shape(const Shape* shape, llvm::ArrayRef<EvaluatedArgument> arguments,
                            const CallSite& site) {
  bool tensors = false;
  for (const EvaluatedArgument& a : arguments) tensors = tensors || a.value.is(ValueKind::tensor);
  if (shape->kind == ShapeKind::choice) {
    return error(
        Kind::NotCallable, site.callee_span,
        format("{} is a choice: name one of its cases, as in `{}.{}`", text(shape->name),
               text(shape->name), shape->cases.empty() ? "" : text(shape->cases[0]->name)));
  }
  // A model whose parameters all have defaults takes tensors directly: LayerNorm(x).
  bool applied = shape->kind == ShapeKind::model && tensors && host_;
  Value v = once_in_body(shape, site.span, [&] {
    return applied ? make_record(instantiate(shape, site.span))
                   : filled_shape(shape, arguments, site);
  });
  return applied && v.is(ValueKind::record) ? host_->apply_model(v.record, arguments, site) : v;
}

Value Evaluator::filled_shape(const Shape* shape, llvm::ArrayRef<EvaluatedArgument> arguments,
                              const CallSite& site) {
  Record* record = instantiate(shape, site.span);
  size_t position = 0;
  for (const EvaluatedArgument& a : arguments) {
    const Field* f = nullptr;
    if (a.name)
      f = shape->field(a.name);
    else if (position < shape->fields.size())
      f = &shape->fields[position++];
    if (!f || f->stage != lang::Stage::given) {
      Span at = a.name_span.valid() ? a.name_span : a.span;
      auto builder =
          diagnose(a.name ? Kind::UnknownField : Kind::WrongArguments, at,
                   a.name ? format("{} has no field `{}`", text(shape->name), text(a.name))
                          : format("{} takes at most {}", text(shape->name),
                                   counted(static_cast<Int128>(shape->fields.size()), "value")));
      if (a.name)
        Hints(*this).member(builder, text(a.name), at, Hints(*this).fields_of(shape),
                            text(shape->name));
      else if (!shape->fields.empty())
        builder.help(Hints(*this).called_as(shape));
      sink_.add(std::move(builder));
      return poison();
    }
    for (const auto& [before, span] : record->preset_spans)
      if (before == f->name) {
        sink_.add(diagnose(Kind::WrongArguments, a.span,
                           format("{} is given `{}` twice", text(shape->name), text(f->name)))
                      .label(span, "first here"));
        return poison();
      }
    record->presets.push_back({f->name, a.value});
    record->preset_spans.push_back({f->name, a.span});
    if (a.expr) record->preset_exprs.push_back({f->name, a.expr, site.env});
  }
  if (site.key.given) record->key = site.key.name;
  return make_record(record);
}

Value Evaluator::amendment(const Expr* e, Env* env, const Type* expected) {
  Value base = e->a->kind == ExprKind::name ? lookup(e->a->name, env, false, e->a->span, expected)
                                            : evaluate(e->a, env, expected);
  if (base.poisoned() || base.is(ValueKind::unknown)) return base;
  if (base.is(ValueKind::shape)) {
    if (base.shape->kind == ShapeKind::choice)
      return error(Kind::TypeMismatch, e->a->span,
                   format("{} is a choice: amend one of its cases", text(base.shape->name)));
    return once_in_body(base.shape, e->span, [&] { return made_of(base.shape, e, env); });
  }
  if (base.is(ValueKind::function)) {  // torchrun { ... } where torchrun is a function without
                                       // needed arguments
    base = call(base, {}, {e->a->span, e->a->span, {}, env});
    if (base.poisoned()) return base;
  }
  if (!base.is(ValueKind::record))
    return error(Kind::TypeMismatch, e->a->span,
                 format("`{{ }}` amends records, and this is {}", describe(base)));
  return once_in_body(base.record->shape, e->span, [&] {
    Record* amended = amend(base.record, e->body, env, false);
    amended->span = e->span;
    // A plan is looked at where it is declared, under its own name.
    if (amended->shape && amended->shape->name != sym::Plan) validate(amended, "");
    return make_record(amended);
  });
}

// T { x = a }, also where T is another name for maps.
Value Evaluator::made_of(const Shape* shape, const Expr* e, Env* env) {
  Record* record = instantiate(shape, e->span);
  record->layers.push_back({e->body, env, nullptr, nullptr});
  if (shape->kind != ShapeKind::record || !shape->decl->alias) {
    validate(record, "");
    return make_record(record);
  }
  const Type* other = type(shape->decl->alias, shape->env);
  if (!other) return poison();
  if (other->kind != TypeKind::map)
    return error(Kind::TypeMismatch, e->a->span,
                 format("`{}` is {}, and `{{ }}` makes records", text(shape->name), print(other)));
  record->shape = nullptr;
  record->is_map = true;
  record->element = other->element;
  record->key_type = other->key;
  return make_record(record);
}

}  // namespace dtp::eval

// a.b, a[i].
#include "base/nearest_name.h"
#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {

Value Evaluator::member(const lang::Expr* e, Env* env, const Type* expected) {
  if (chain_.next != e) chain_ = {e, nullptr, expected, false};
  chain_.next = e->a;
  Value object = evaluate(e->a, env);
  member_site_ = {e, env};
  if (object.is(ValueKind::number))
    return number_member(object, e->name, e->name_span, plan_of(e->a, env));
  // Linear(n)(x) as mlp.fc1
  if (object.is(ValueKind::tensor) && e->a->kind == lang::ExprKind::keyed) {
    sink_.add(
        diagnose(Kind::UnknownMember, e->name_span, format("a tensor has no `{}`", text(e->name)))
            .help(format("a key of several words stands in quotes: `as \"{}.{}\"`",
                         text(e->a->name), text(e->name))));
    return poison();
  }
  return member_of(object, e->name, e->name_span, env);
}

// `clip.ViT_L_14` in a plan, whose own field `clip` comes before the file that is imported: asked
// where what is meant has no such member.
bool Evaluator::hides_import(Span at) {
  auto [e, env] = member_site_;
  if (!e || e->name_span != at || e->a->kind != lang::ExprKind::name) return false;
  while (env && !env->module) env = env->parent;
  const lang::Import* import = env ? env->module->find_import(e->a->name) : nullptr;
  if (!import || !import->module || !import->module->entry(e->name)) return false;
  std::string_view name = text(e->a->name);
  sink_.add(diagnose(Kind::ImportNameTaken, e->a->span,
                     format("`{}` is a name of its own here, which hides the file", name))
                .label(import->span, "imported here")
                .help(format("give the import another name: `as {}_file`", name)));
  return true;
}

// The plan whose field the number is: `other.duration.steps` counts the other plan's steps.
Record* Evaluator::plan_of(const lang::Expr* number, Env* env) {
  Value holder = number->kind == lang::ExprKind::member ? evaluate(number->a, env) : poison();
  if (holder.is(ValueKind::record))
    for (Record* r = holder.record; r; r = r->owner)
      if (r->shape && r->shape->name == sym::Plan) return r;
  return enclosing_plan(env);
}

Value Evaluator::member_of(const Value& object, Symbol name, Span at, Env* env) {
  switch (object.kind) {
    case ValueKind::poison:
    case ValueKind::unknown: return object;
    case ValueKind::module: return module_member(object.module, name, at);
    case ValueKind::number: return number_member(object, name, at, enclosing_plan(env));
    case ValueKind::shape: {
      for (const Shape* c : object.shape->cases)
        if (c->name == name) return make_record(instantiate(c, at));
      if (object.shape->kind == ShapeKind::model)
        return member_of(make_record(instantiate(object.shape, at)), name, at, env);
      return unknown_case(object.shape, name, at);
    }
    case ValueKind::record: {
      Record* r = object.record;
      if (has_field(r, name)) {
        if (reads_data_) note_data(r, name, at);
        return field(r, name, at);
      }
      bool found = false;
      Value f = bound_function(r, name, found);
      if (found) return f;
      for (const Shape* s = r->shape; s && !r->is_map; s = s->parent)
        for (const lang::Let& let : s->decl->lets)
          if (let.name == name) return let_value(r, let, shape_env(r, s));
      if (r->shape && r->shape->kind == ShapeKind::model && host_)
        if (auto fact = host_->model_fact(r, name, at)) return *fact;
      if (r->shape && r->shape->kind == ShapeKind::model && host_)
        if (auto method = host_->method(r, name)) return *method;
      if (r->is_map) {
        for (Symbol k : keys(r))
          if (k == name) return field(r, k, at);
      }
      return unknown_member(r, name, at);
    }
    case ValueKind::native:
      if (auto value = object.native->member(*this, text(name), at)) return *value;
      if (hides_import(at)) return poison();
      return error(Kind::UnknownMember, at, format("{} has no `{}`", describe(object), text(name)));
    case ValueKind::none:
      if (hides_import(at)) return poison();
      if (in_rule_) return make_unknown(format("there is none, and so no `{}`", text(name)));
      return error(
          Kind::UnknownMember, at,
          format("`none` has no `{}`: guard it with `x is none`, or give a default with `??`",
                 text(name)));
    case ValueKind::auto_:
      if (hides_import(at)) return poison();
      return error(
          Kind::UnknownMember, at,
          format("the value is `auto`, and nothing has filled it: it has no `{}`", text(name)));
    case ValueKind::tensor: {
      if (hides_import(at)) return poison();
      auto builder = diagnose(Kind::UnknownMember, at, format("a tensor has no `{}`", text(name)));
      Hints(*this).tensor_member(builder, text(name));
      sink_.add(std::move(builder));
      return poison();
    }
    default: return no_member(object, name, at);
  }
}

// Of the diagnostics at this place it is known then which entry of a JSON file they speak of.
void Evaluator::note_data(Record* record, Symbol name, Span use) {
  if (!use.valid()) return;
  auto d = record->shape ? std::nullopt : definition(record, name);
  if (d && d->layer->body->data)
    data_reads_[{use.file.value, use.begin}] = {use, d->field->span, record, name};
  else
    data_reads_.erase({use.file.value, use.begin});  // of an earlier call with another record
}

// The left side of `??`, `is none` and `== none`: what a JSON file does not say is none there.
Value Evaluator::or_absent(const lang::Expr* e, Env* env, const Type* expected) {
  bool of_data = false;
  if (!reads_data_) return evaluate(e, env, expected);
  if (e->kind != lang::ExprKind::binary || e->op != lang::Op::otherwise)
    return reach(e, env, expected, of_data);
  Value first = or_absent(e->a, env, expected);  // of `a ?? b ?? c`
  return first.is(ValueKind::none) ? or_absent(e->b, env, expected) : first;
}

Value Evaluator::reach(const lang::Expr* e, Env* env, const Type* expected, bool& of_data) {
  auto plain = [&] {
    Value v = evaluate(e, env, expected);
    of_data = v.is(ValueKind::record) && is_data(*v.record);
    return v;
  };
  bool by_key = e->kind == lang::ExprKind::index && e->items.size() == 1;
  if (e->kind != lang::ExprKind::member && !by_key) return plain();
  Value object = reach(e->a, env, nullptr, of_data);
  if (object.poisoned() || (of_data && object.is(ValueKind::none))) return object;
  if (!of_data) return plain();
  Symbol name = e->name;
  Span at = e->name_span;
  if (by_key) {
    Value key = evaluate(e->items[0], env);
    if (!key.is(ValueKind::string)) return key.poisoned() ? key : plain();
    name = names_.intern(key.string());
    at = e->items[0]->span;
  }
  Value v = has_field(object.record, name) ? member_of(object, name, at, env)
                                           : make_simple(ValueKind::none);
  of_data = v.is(ValueKind::none) || (v.is(ValueKind::record) && is_data(*v.record));
  return v;
}

Value Evaluator::no_member(const Value& object, Symbol name, Span at) {
  if (hides_import(at)) return poison();
  auto builder =
      diagnose(Kind::UnknownMember, at, format("{} has no `{}`", describe(object), text(name)));
  if (object.is(ValueKind::list)) Hints(*this).list_member(builder, text(name));
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::unknown_case(const Shape* choice, Symbol name, Span at) {
  if (hides_import(at)) return poison();
  std::vector<std::string_view> known;
  known.reserve(choice->cases.size());
  for (const Shape* c : choice->cases) known.push_back(text(c->name));
  auto builder = diagnose(Kind::UnknownCase, at,
                          format("`{}` is no case of {}", text(name), text(choice->name)));
  Hints(*this).member(builder, text(name), at, known, text(choice->name));
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::unknown_member(Record* record, Symbol name, Span at) {
  if (hides_import(at)) return poison();
  if (in_rule_ && record->shape && record->shape->kind == ShapeKind::model)
    return make_unknown(format("{} has no `{}`", kind_name(record), text(name)));
  std::vector<std::string_view> known;
  if (record->is_map || !record->shape) {
    for (Symbol k : keys(record)) known.push_back(text(k));
  } else {
    for (const Field& f : record->shape->fields) known.push_back(text(f.name));
    for (const Shape* s = record->shape; s; s = s->parent)
      for (const lang::Function& f : s->decl->functions) known.push_back(text(f.name));
  }
  if (record->shape && record->shape->kind == ShapeKind::model)
    known.insert(known.end(), {"parameters", "trainable", "flops", "parts"});
  if (record->shape && record->shape->kind == ShapeKind::model)
    for (const lang::Method& m : record->shape->decl->methods) known.push_back(text(m.name));
  bool data = is_data(*record);
  data_reads_.erase({at.file.value, at.begin});
  std::string owner = data ? "the object" : kind_name(record);
  auto builder = diagnose(Kind::UnknownMember, at,
                          data             ? format("this JSON object has no \"{}\"", text(name))
                          : record->is_map ? format("this map has no entry `{}`", text(name))
                                           : format("{} has no `{}`", owner, text(name)));
  Hints hints(*this);
  if (record->shape && record->shape->choice) hints.other_case(builder, record->shape, name);
  // The default of a plan's field read it.
  if (name == sym::objective && !is_users(at))
    builder.help(
        "the plan says what a step computes around it, as in `objective = "
        "objectives.classification` "
        "after `import std.objectives`");
  Span brace = record->span;
  brace.end = brace.begin + 1;
  if (data && !is_users(at)) {
    // A file of the library reads it: what can be mended is the object, at the key that is meant.
    std::string_view near = nearest_name(text(name), known);
    auto meant = near.empty() ? std::nullopt : definition(record, names_.intern(near));
    if (meant)
      builder.label(meant->field->key_span, format("is `{}` meant?", text(name)));
    else
      builder.label(brace, "the object");
  } else {
    hints.member(builder, text(name), at, known, owner);
  }
  if (data && is_users(at)) {
    builder.note("the object", brace);
    builder.help("what may be missing is read with a value to take then: `x.key ?? 12`");
  }
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::number_member(const Value& object, Symbol name, Span at, Record* plan) {
  const Number& n = *object.number;
  std::string_view word = text(name);
  if (word == "why") return make_string(n.why.empty() ? "exact" : n.why);
  if (word == "lo" || word == "likely" || word == "hi") {
    // The ends of what nobody estimated are as open as the whole: a plain number would decide.
    if (n.exact || n.not_estimated()) return object;
    double v = word == "lo" ? n.interval.lo : word == "hi" ? n.interval.hi : n.interval.likely;
    Number result = real_number(v, n.dimension);
    result.decimal = n.decimal;
    result.why = n.why;
    return make_number(result);
  }
  if (host_ && plan) {
    NullSink quiet;  // an unfinished plan lacks what an extent converts by
    DiagnosticSink* before = unfinished_ ? swap_sink(&quiet) : nullptr;
    auto converted = host_->extent(plan, n, name, at);
    if (before) swap_sink(before);
    if (converted) return *converted;
  }
  if (hides_import(at)) return poison();
  auto builder =
      diagnose(Kind::UnknownMember, at,
               format("{} has no `{}`; a number has .lo .likely .hi .why", describe(object), word));
  if (auto unit = units_.find(word); unit && unit->dimension == n.dimension)
    builder.help(format("a plain number is the quotient with a unit: `x / 1 {}`", word));
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::not_indexable(const lang::Expr* e, const Value& object) {
  auto builder =
      diagnose(Kind::TypeMismatch, e->a->span, format("{} cannot be indexed", describe(object)));
  if (object.is(ValueKind::tensor))
    builder.help(
        "a part of a tensor: `first(x, axis = 1)`, `slice(x, axis, from, to)`, or several at once "
        "by `a, b = chunk(x, 2, axis = 1)`");
  sink_.add(std::move(builder));
  return poison();
}

Value Evaluator::index(const lang::Expr* e, Env* env) {
  Value object = evaluate(e->a, env);
  if (object.poisoned() || object.is(ValueKind::unknown)) return object;
  if (object.is(ValueKind::tensor)) {
    for (const lang::Expr* item : e->items)
      if (evaluate(item, env).poisoned()) return poison();
    return not_indexable(e, object);
  }
  if (e->items.size() != 1) return error(Kind::TypeMismatch, e->span, "one index at a time");
  Value i =
      evaluate(e->items[0], env, object.is(ValueKind::record) ? object.record->key_type : nullptr);
  if (i.poisoned()) return i;
  if (object.is(ValueKind::record)) {
    std::string key = i.is(ValueKind::string) ? std::string(i.string()) : print(i, Digits::plain);
    return member_of(object, names_.intern(key), e->items[0]->span, env);
  }
  if (!object.is(ValueKind::list) && !object.is(ValueKind::tuple)) return not_indexable(e, object);
  auto size = static_cast<Int128>(object.items().size());
  if (i.is(ValueKind::range)) {
    if (!i.range->lo->whole() || (i.range->hi && !i.range->hi->whole()))
      return error(Kind::TypeMismatch, e->items[0]->span, "the ends of a slice are whole numbers");
    Int128 lo = std::clamp<Int128>(i.range->lo->numerator, 0, size);
    Int128 hi = i.range->hi ? i.range->hi->numerator + (i.range->exclusive ? 0 : 1) : size;
    hi = std::clamp<Int128>(hi, lo, size);
    if (!spend(e->span, static_cast<uint64_t>(hi - lo))) return poison();
    return make_list(object.items().slice(static_cast<size_t>(lo), static_cast<size_t>(hi - lo)));
  }
  if (!i.is(ValueKind::number) || !i.number->whole())
    return error(Kind::TypeMismatch, e->items[0]->span,
                 format("an index is a whole number, not {}", describe(i)));
  Int128 at = i.number->numerator;
  if (at < 0) at += size;
  if (at < 0 || at >= size) {
    auto builder = diagnose(
        Kind::IndexOutOfRange, e->items[0]->span,
        format("index {} in a list of {}", to_string(i.number->numerator), object.items().size()));
    if (size > 0)
      builder.help(format("the first is 0 and the last {}; from the end, -1 to -{}",
                          to_string(size - 1), to_string(size)));
    sink_.add(std::move(builder));
    return poison();
  }
  return object.items()[static_cast<size_t>(at)];
}

}  // namespace dtp::eval

#include "eval/causes.h"

#include "lang/children.h"

namespace dtp::eval {

using lang::Expr;
using lang::ExprKind;

const Value* Causes::known(const Record* record, Symbol name) {
  auto slot = record->slots.find(name.value);
  bool done = slot != record->slots.end() && slot->second.state == SlotState::done;
  return done ? &slot->second.value : nullptr;
}

// `x` of `a.x` and of `a["x"]`; none for anything else.
Symbol Causes::key_of(const Expr* e) const {
  if (e->kind == ExprKind::member) return e->name;
  if (e->kind != ExprKind::index || e->items.size() != 1) return {};
  const Expr* key = e->items[0];
  bool literal = key->kind == ExprKind::string && key->pieces.size() == 1 && !key->pieces[0].hole;
  return literal ? ev_.names().intern(key->pieces[0].text) : Symbol{};
}

const Value* Causes::known(const Expr* e, Env* env) const {
  if (e->kind == ExprKind::name) {
    for (Env* scope = env; scope; scope = scope->parent) {
      if (scope->module)
        if (const lang::Import* import = scope->module->find_import(e->name))
          return import->data ? ev_.data_of(*import) : nullptr;
      for (const auto& [local, value] : scope->locals)
        if (local == e->name) return &value;
      if (!scope->record) continue;
      for (const auto& [let, slot] : scope->record->lets)
        if (let->name == e->name && slot.state == SlotState::done) return &slot.value;
      if (ev_.has_field(scope->record, e->name)) return known(scope->record, e->name);
    }
  }
  Symbol key = key_of(e);
  const Value* object = key ? known(e->a, env) : nullptr;
  return object && object->is(ValueKind::record) ? known(object->record, key) : nullptr;
}

void Causes::read(const Expr* e, Env* env) {
  if (!e || left_ == 0) return;
  --left_;
  if (e->kind == ExprKind::name) return add_name(e->name, env);
  if (Symbol key = key_of(e)) {
    size_t before = all_.size();
    const Value* object = known(e->a, env);
    if (object && object->is(ValueKind::record)) add_field(object->record, key);
    if (all_.size() == before) read(e->a, env);
    return;
  }
  bool call = e->kind == ExprKind::call || e->kind == ExprKind::comprehension_call;
  lang::for_each_child(*e, [&](const Expr& child) {
    if (!call || &child != e->a || child.kind != ExprKind::name) read(&child, env);
  });
}

void Causes::add_name(Symbol name, Env* env) {
  for (Env* scope = env; scope; scope = scope->parent) {
    for (const auto& [local, value] : scope->locals) {
      if (local != name) continue;
      const Expr* from = ev_.local_text(scope, name);
      if (from && seen_.insert({scope, name.value}).second) read(from, scope);
      return;
    }
    if (!scope->record) continue;
    if (add_let(name, scope)) return;
    if (!ev_.has_field(scope->record, name)) continue;
    add_field(scope->record, name);
    return;
  }
}

// A let is what it reads.
bool Causes::add_let(Symbol name, Env* scope) {
  auto read_let = [&](const lang::Let& let, Env* env) {
    if (let.name != name) return false;
    if (seen_.insert({&let, 0}).second) read(let.value, env);
    return true;
  };
  Record* record = scope->record;
  if (scope->body)
    for (size_t i = scope->layer + 1; i-- > 0;)
      for (const lang::Let& let : record->layers[i].body->lets)
        if (read_let(let, ev_.layer_scope(record, i))) return true;
  for (const Shape* s = scope->shape; s; s = s->parent)
    for (const lang::Let& let : s->decl->lets)
      if (read_let(let, ev_.shape_scope(record, s))) return true;
  return false;
}

void Causes::add(Span span, Symbol name, const Value* value, size_t layer) {
  for (const Cause& c : all_)
    if (c.span == span) return;
  std::string text(ev_.text(name));
  // Of a record its type would be told, and the line says more.
  if (value && !value->poisoned() && !is_plain_record(*value)) text += " = " + ev_.print(*value);
  all_.push_back({span, std::move(text), layer, ev_.is_users(span)});
}

void Causes::add_field(Record* record, Symbol name) {
  if (!seen_.insert({record, name.value}).second) return;
  if (auto d = ev_.definition(record, name)) {
    auto layer = static_cast<size_t>(d->layer - record->layers.begin());
    add(d->field->span, name, known(record, name), layer);
    if (!ev_.is_users(d->field->span)) read(d->field->value, ev_.layer_scope(record, layer));
    return;
  }
  for (size_t i = 0; i < record->presets.size(); ++i)
    if (record->presets[i].first == name) return add_preset(record, name, i);
  const Field* f = record->shape ? record->shape->field(name) : nullptr;
  if (f && f->fallback) read(f->fallback, ev_.shape_scope(record, record->shape));
}

// An argument that passes on what the caller was given is followed to where the caller got it.
void Causes::add_preset(Record* record, Symbol name, size_t preset) {
  size_t before = all_.size();
  for (const Preset& p : record->preset_exprs)
    if (p.name == name) read(p.expr, p.env);
  if (all_.size() == before)
    add(record->preset_spans[preset].second, name, &record->presets[preset].second, 0);
}

const Cause* Causes::first() const {
  const Cause* best = nullptr;
  for (const Cause& c : all_)
    if (!best || std::pair(c.users, c.layer) >= std::pair(best->users, best->layer)) best = &c;
  return best;
}

void Causes::read_path(llvm::ArrayRef<Symbol> path, Env* env) {
  auto value = ev_.find(path[0], env, false, {}, nullptr);
  if (path.size() == 1) return add_name(path[0], env);
  for (size_t i = 1; value && value->is(ValueKind::record); ++i) {
    if (!ev_.has_field(value->record, path[i])) return;
    if (i + 1 == path.size()) return add_field(value->record, path[i]);
    value = ev_.field(value->record, path[i], {});
  }
}

DiagnosticBuilder refusal(Evaluator& evaluator, Kind kind, const lang::Requirement& requirement,
                          Env* env, std::string headline, std::string_view who, Span at) {
  Causes causes(evaluator);
  causes.read(requirement.condition, env);
  const Cause* first = causes.first();
  DiagnosticBuilder builder(kind, first ? first->span : at, std::move(headline));
  if (first) builder.caret_text(first->text);
  for (const Cause& c : causes.all())
    if (&c != first) builder.label(c.span, c.text);
  builder.label(requirement.condition->span, format("{} requires this", who));
  return builder;
}

}  // namespace dtp::eval

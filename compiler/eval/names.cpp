// What a name means: block -> records, innermost first -> file -> imports -> prelude. In call
// position only callables are looked at. Cases of a choice come from the expected type.
#include <llvm/ADT/STLExtras.h>

#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

bool Evaluator::is_callable(const Value& v) {
  switch (v.kind) {
    case ValueKind::function:
    case ValueKind::shape:
    case ValueKind::native:
    case ValueKind::poison: return true;
    case ValueKind::record: return v.record->shape && v.record->shape->kind == ShapeKind::model;
    default: return false;
  }
}

Env* Evaluator::module_env(lang::Module* module) {
  Env*& env = module_envs_[module];
  if (!env) {
    env = make<Env>();
    env->module = module;
  }
  return env;
}

const Shape* Evaluator::case_of(const Type* expected, Symbol name) const {
  while (expected && expected->kind == TypeKind::optional) expected = expected->element;
  if (!expected || expected->kind != TypeKind::choice) return nullptr;
  for (const Shape* c : expected->shape->cases)
    if (c->name == name) return c;
  return nullptr;
}

Value Evaluator::lookup(Symbol name, Env* env, bool callable, Span use, const Type* expected) {
  auto found = find(name, env, callable, use, expected);
  return found ? *found : unknown_name(name, env, callable, use, expected);
}

std::optional<Value> Evaluator::find(Symbol name, Env* env, bool callable, Span use,
                                     const Type* expected) {
  if (const Shape* c = case_of(expected, name)) {
    if (!callable) return make_record(instantiate(c, use));
    Value v = make_simple(ValueKind::shape);
    v.shape = c;
    return v;
  }
  for (Env* scope = env; scope; scope = scope->parent) {
    for (size_t i = scope->locals.size(); i-- > 0;) {
      if (scope->locals[i].first != name) continue;
      if (!callable || is_callable(scope->locals[i].second)) return scope->locals[i].second;
    }
    if (scope->record || scope->body) {
      Value v = in_record(name, scope, callable, use);
      if (v.kind != ValueKind::hole) return v;
    }
    if (scope->module) {
      bool found = false;
      Value v = from_module(scope->module, name, callable, found);
      if (found) return v;
    }
  }
  {
    bool found = false;
    Value v = from_prelude(name, callable, found);
    if (found) return v;
  }
  if (callable) {
    if (const Native* known = native(name)) {
      Value v = make_simple(ValueKind::native);
      v.native = known;
      return v;
    }
  }
  if (text(name) == "auto" && !callable) return make_simple(ValueKind::auto_);
  return std::nullopt;
}

const Native* Evaluator::native(Symbol name) const {
  const Native* known = host_ ? host_->native(name) : nullptr;
  return known ? known : builtin(text(name));
}

// A let, function or field of the record of this scope; ValueKind::hole when there is none.
Value Evaluator::in_record(Symbol name, Env* scope, bool callable, Span use) {
  Value nothing = make_simple(ValueKind::hole);
  Record* record = scope->record;
  if (!callable) {
    if (name == sym::base && scope->base) return make_record(scope->base);
    if (scope->body)
      for (size_t i = scope->layer + 1; i-- > 0;)
        for (const lang::Let& let : record->layers[i].body->lets)
          if (let.name == name) return let_value(record, let, layer_env(record, i));
    for (const Shape* s = scope->shape; s; s = s->parent)
      for (const lang::Let& let : s->decl->lets)
        if (let.name == name) return let_value(record, let, shape_env(record, s));
  }
  if (record && has_field(record, name)) {
    // In call position a field counts only where it holds a model: `env("X")` inside a field `env`
    // is the builtin.
    const Type* t = callable ? field_type(record, name) : nullptr;
    while (t && t->kind == TypeKind::optional) t = t->element;
    if (!callable || (t && t->kind == TypeKind::model)) return field(record, name, use);
  }
  if (callable && record) {
    bool found = false;
    Value v = bound_function(record, name, found);
    if (found) return v;
    if (host_ && record->shape && record->shape->kind == ShapeKind::model)
      if (auto method = host_->method(record, name)) return *method;
  }
  return nothing;
}

Value Evaluator::written_value(const lang::Let& let, Env* env) {
  const Type* expected = let.type ? type(let.type, env) : nullptr;
  Value v = evaluate(let.value, env, expected);
  return expected ? conform(v, expected, let.value, quoted(text(let.name))) : v;
}

Value Evaluator::let_value(Record* record, const lang::Let& let, Env* env) {
  if (!record) return evaluate(let.value, env, let.type ? type(let.type, env) : nullptr);
  auto [slot, fresh] = record->lets.try_emplace(&let, Slot{});
  if (!fresh) {
    if (slot->second.state == SlotState::done) {
      note_reads(slot->second.reads);
      return outdated(slot->second) ? written_value(let, env) : slot->second.value;
    }
    return error(Kind::EvaluationCycle, let.span, ring(record, let.name));
  }
  WorkedOut here(*this, record, let.name);
  Reads own(*this);
  uint64_t estimates = estimates_read_;
  Value v = written_value(let, env);
  if (unfinished_ && v.poisoned())
    record->lets.erase(&let);
  else
    record->lets[&let] = {SlotState::done, estimates != estimates_read_, v, reads_};
  return v;
}

// The function that a type declares without a body, or with one that is replaced.
void Evaluator::find_signature(const Shape* shape, Closure& closure) {
  for (const Shape* s = shape; s; s = s->parent)
    for (const lang::Function& f : s->decl->functions)
      if (f.name == closure.function->name && &f != closure.function) {
        closure.signature = &f;
        closure.signature_env = shape_env(closure.self, s);
      }
}

// `fn` of a record: the topmost layer's, else the shape's, bound to the record.
Value Evaluator::bound_function(Record* record, Symbol name, bool& found) {
  auto bind = [&](const lang::Function& f, Env* env) {
    auto* closure = make<Closure>();
    *closure = {&f, env, record};
    if (is_users(f.span)) find_signature(record->shape, *closure);
    Value v = make_simple(ValueKind::function);
    v.closure = closure;
    found = true;
    return v;
  };
  for (size_t i = record->layers.size(); i-- > 0;)
    for (const lang::Function& f : record->layers[i].body->functions)
      if (f.name == name) return bind(f, layer_env(record, i));
  const lang::Function* signature = nullptr;
  for (const Shape* s = record->shape; s; s = s->parent)
    for (const lang::Function& f : s->decl->functions) {
      if (f.name != name) continue;
      if (f.body) return bind(f, shape_env(record, s));
      signature = &f;
    }
  if (signature) {
    found = true;
    return error(Kind::MissingField, record->span,
                 format("{} does not say what `{}` is", kind_name(record), text(name)));
  }
  return {};
}

Value Evaluator::from_module(lang::Module* module, Symbol name, bool callable, bool& found) {
  if (lang::DeclEntry* entry = module->entry(name)) {
    bool value_like = entry->kind == lang::DeclKind::let || entry->kind == lang::DeclKind::plan;
    bool type_like = entry->kind == lang::DeclKind::family ||
                     entry->kind == lang::DeclKind::dimension ||
                     entry->kind == lang::DeclKind::unit || entry->kind == lang::DeclKind::rule;
    bool callable_like =
        entry->kind == lang::DeclKind::function || entry->kind == lang::DeclKind::type ||
        entry->kind == lang::DeclKind::model || entry->kind == lang::DeclKind::choice;
    // `let count = count(xs)`: what is still being worked out is nothing that can be called.
    bool itself = callable && entry->kind == lang::DeclKind::let && is_open(*entry);
    if (itself) passed_over_.insert(entry);
    if (!type_like && !itself && (value_like || callable_like)) {
      Value v = declared(module, *entry);
      if (!callable || is_callable(v)) {
        found = true;
        return v;
      }
    }
  }
  if (!callable) {
    if (const lang::Import* import = module->find_import(name)) {
      found = true;
      return imported(*import);
    }
  }
  return {};
}

// A file of declarations, or the value that a JSON file holds.
Value Evaluator::imported(const lang::Import& import) {
  if (import.module) return make_module(import.module);
  if (!import.data) return poison();
  auto [known, fresh] = data_.try_emplace(import.data);
  if (fresh) {
    Value value = evaluate(import.data, make<Env>());
    data_[import.data] = value;
    return value;
  }
  return known->second;
}

// The prelude's files are in scope with what they declare; the files themselves are not.
Value Evaluator::from_prelude(Symbol name, bool callable, bool& found) {
  if (!prelude_) return {};
  for (const lang::Import& import : prelude_->imports) {
    if (!import.module || !import.module->entry(name)) continue;
    Value v = from_module(import.module, name, callable, found);
    if (found) return v;
  }
  return {};
}

Value Evaluator::module_member(lang::Module* module, Symbol name, Span use, bool report) {
  if (lang::DeclEntry* entry = module->entry(name)) {
    if (entry->kind != lang::DeclKind::rule && entry->kind != lang::DeclKind::dimension)
      return declared(module, *entry);
  }
  if (const lang::Import* import = module->find_import(name);
      import && (import->module || import->data))
    return imported(*import);
  if (!report || module->has_errors) return poison();
  std::vector<std::string_view> known;
  for (const lang::DeclEntry& e : module->entries)
    if (e.name) known.push_back(text(e.name));
  auto builder =
      diagnose(Kind::UnknownMember, use, format("`{}` has no `{}`", module->name, text(name)));
  Hints(*this).member(builder, text(name), use, known, format("`{}`", module->name));
  sink_.add(std::move(builder));
  return poison();
}

Record* Evaluator::enclosing_plan(Env* env) const {
  for (Env* scope = env; scope; scope = scope->parent)
    for (Record* r = scope->record; r; r = r->owner)
      if (r->shape && r->shape->name == sym::Plan) return r;
  return nullptr;
}

const lang::Module* Evaluator::module_of(Span span) const {
  for (const auto& [module, env] : module_envs_)
    if (module && module->file == span.file) return module;
  return nullptr;
}

}  // namespace dtp::eval

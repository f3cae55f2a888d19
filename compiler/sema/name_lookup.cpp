// What a name means, as evaluation would find it (eval/names.cpp), but of no value in particular.
#include "eval/hints.h"
#include "sema/name_check.h"

namespace dtp::sema {

using eval::Shape;
using eval::ShapeKind;
using eval::Type;
using eval::TypeKind;
using eval::Value;
using eval::ValueKind;
using lang::DeclKind;

const Type* NameCheck::plain(const Type* type) {
  while (type && type->kind == TypeKind::optional) type = type->element;
  return type;
}

const Type* NameCheck::list_of(const Type* element) {
  if (!element) return nullptr;
  auto* list = ev_.make<Type>();
  list->kind = TypeKind::list;
  list->element = element;
  return list;
}

NameCheck::Meaning NameCheck::of_type(TypeKind kind, const Shape* shape) {
  auto* type = ev_.make<Type>();
  type->kind = kind;
  type->shape = shape;
  Meaning meaning;
  meaning.type = type;
  return meaning;
}

NameCheck::Meaning NameCheck::meaning_of(const Value& value) {
  Meaning meaning;
  switch (value.kind) {
    case ValueKind::record: {
      const Shape* shape = value.record->shape;
      if (!shape) return meaning;
      meaning = shape->choice
                    ? of_type(TypeKind::choice, shape->choice)
                    : of_type(shape->kind == ShapeKind::model ? TypeKind::model : TypeKind::record,
                              shape);
      meaning.record = value.record;
      break;
    }
    case ValueKind::shape: meaning.shape = value.shape; break;
    case ValueKind::function:
      meaning.function = value.closure->function;
      meaning.env = value.closure->env;
      break;
    case ValueKind::module: meaning.module = value.module; break;
    case ValueKind::native: meaning.native = value.native; break;
    default: break;
  }
  return meaning;
}

NameCheck::Meaning NameCheck::value_named(Symbol name, const Scope& scope, Span use,
                                          const Type* expected) {
  Meaning found;
  found.missing = !find_value(name, scope, expected, found);
  if (found.missing) report_unknown(name, scope, false, use);
  return found;
}

NameCheck::Meaning NameCheck::callable_named(Symbol name, const Scope& scope, Span use,
                                             const Type* expected) {
  Meaning found;
  found.missing = !find_callable(name, scope, expected, found);
  if (found.missing) report_unknown(name, scope, true, use);
  return found;
}

bool NameCheck::find_value(Symbol name, const Scope& scope, const Type* expected, Meaning& out) {
  if (const Type* choice = plain(expected); choice && choice->kind == TypeKind::choice)
    for (const Shape* c : choice->shape->cases)
      if (c->name == name) {
        out.shape = c;
        return true;
      }
  bool open = false;
  for (const Scope* s = &scope; s; s = s->parent) {
    for (size_t i = s->names.size(); i-- > 0;)
      if (s->names[i].first == name) {
        out = s->names[i].second;
        return true;
      }
    if (find_in_shape(name, *s, out)) return true;
    open = open || s->open;
  }
  if (in_module(module_, name, false, out)) return true;
  if (const lang::Import* import = module_.find_import(name)) {
    out.module = import->module;
    return true;
  }
  if (lang::Module* prelude = ev_.prelude())
    for (const lang::Import& import : prelude->imports)
      if (import.module && in_module(*import.module, name, false, out)) return true;
  return open || ev_.text(name) == "auto" || is_any_case(name);
}

// The fields and lets of a record's scope, and what a body brings.
bool NameCheck::find_in_shape(Symbol name, const Scope& scope, Meaning& out) {
  if (scope.body) {
    if (name == sym::base) return true;
    for (const lang::Let& let : scope.body->lets)
      if (let.name == name) {
        out.type = ev_.type(let.type, env_);
        return true;
      }
    if (scope.base)
      for (const eval::Layer& layer : scope.base->layers)
        for (const lang::Let& let : layer.body->lets)
          if (let.name == name) return true;
    if (!scope.shape)
      for (const lang::FieldDef& f : scope.body->fields)
        if (f.name == name) return true;
  }
  for (const Shape* s = scope.shape; s; s = s->parent)
    for (const lang::Let& let : s->decl->lets)
      if (let.name == name) {
        out.type = ev_.type(let.type, s->env);
        return true;
      }
  const eval::Field* f = scope.shape ? scope.shape->field(name) : nullptr;
  if (f) out.type = ev_.type(f->type, f->env);
  return f != nullptr;
}

bool NameCheck::find_callable(Symbol name, const Scope& scope, const Type* expected, Meaning& out) {
  if (const Type* choice = plain(expected); choice && choice->kind == TypeKind::choice)
    for (const Shape* c : choice->shape->cases)
      if (c->name == name) {
        out.shape = c;
        return true;
      }
  auto may_be_called = [](const Meaning& m) {
    const Type* type = plain(m.type);
    return !type || type->kind == TypeKind::any || type->kind == TypeKind::model ||
           type->kind == TypeKind::function;
  };
  bool open = false;
  for (const Scope* s = &scope; s; s = s->parent) {
    for (size_t i = s->names.size(); i-- > 0;)
      if (s->names[i].first == name && may_be_called(s->names[i].second)) {
        out = s->names[i].second;
        return true;
      }
    if (find_function(name, *s, out)) return true;
    Meaning field;
    if (find_in_shape(name, *s, field) && may_be_called(field)) return true;
    open = open || s->open;
  }
  if (in_module(module_, name, true, out)) return true;
  if (lang::Module* prelude = ev_.prelude())
    for (const lang::Import& import : prelude->imports)
      if (import.module && in_module(*import.module, name, true, out)) return true;
  out.native = ev_.native(name);
  return out.native || open;
}

bool NameCheck::find_function(Symbol name, const Scope& scope, Meaning& out) {
  auto find = [&](llvm::ArrayRef<lang::Function> functions, eval::Env* env) {
    for (const lang::Function& f : functions) {
      if (f.name != name) continue;
      out.function = &f;
      out.env = env;
      return true;
    }
    return false;
  };
  if (scope.body && find(scope.body->functions, env_)) return true;
  for (const Shape* s = scope.shape; s; s = s->parent)
    if (find(s->decl->functions, s->env)) return true;
  return false;
}

bool NameCheck::in_module(lang::Module& module, Symbol name, bool callable, Meaning& out) {
  lang::DeclEntry* entry = module.entry(name);
  if (!entry) return false;
  switch (entry->kind) {
    case DeclKind::plan:
      if (callable) return false;
      out = meaning_of(ev_.declared(&module, *entry));
      return true;
    case DeclKind::let: {
      Value v = ev_.declared(&module, *entry);
      out = meaning_of(v);
      bool model =
          v.is(ValueKind::record) && v.record->shape && v.record->shape->kind == ShapeKind::model;
      return !callable || v.poisoned() || model || out.shape || out.function || out.native;
    }
    case DeclKind::function:
    case DeclKind::type:
    case DeclKind::choice:
    case DeclKind::model: out = meaning_of(ev_.declared(&module, *entry)); return true;
    default: return false;
  }
}

// Without a type to look in, a word may be a case of any choice that this file sees.
bool NameCheck::is_any_case(Symbol name) {
  auto add = [&](lang::Module* module) {
    if (!module) return;
    for (lang::DeclEntry& entry : module->entries)
      if (entry.kind == DeclKind::choice) choices_.push_back(module->declaration(entry));
  };
  if (!std::exchange(choices_found_, true)) {
    add(&module_);
    for (const lang::Import& import : module_.imports) add(import.module);
    if (lang::Module* prelude = ev_.prelude())
      for (const lang::Import& import : prelude->imports) add(import.module);
  }
  for (const lang::Decl* choice : choices_)
    for (const lang::Case& c : choice->cases)
      if (c.name == name) return true;
  return false;
}

NameCheck::Meaning NameCheck::member(const Meaning& object, Symbol name, Span use) {
  Meaning found;
  if (object.module) {
    return meaning_of(ev_.module_member(object.module, name, use, unrun()));
  }
  if (object.shape && object.shape->kind == ShapeKind::choice) {
    for (const Shape* c : object.shape->cases)
      if (c->name == name) return of_type(TypeKind::choice, object.shape);
    if (unrun())
      report(Kind::UnknownCase, use,
             format("`{}` is no case of {}", ev_.text(name), ev_.text(object.shape->name)),
             ev_.text(name), case_names(*object.shape), ev_.text(object.shape->name));
    return {};
  }
  const Type* type = plain(object.type);
  if (!type || !type->shape) return {};
  if (type->kind == TypeKind::choice) return field_of_choice(*type->shape, name, use);
  Scope scope{nullptr, {}, type->shape};
  if (find_in_shape(name, scope, found) || find_function(name, scope, found)) return found;
  std::string_view word = ev_.text(name);
  bool model = type->kind == TypeKind::model;
  bool fact =
      model && (word == "parameters" || word == "trainable" || word == "flops" || word == "parts");
  if (!unrun() || fact || told_.contains(use.begin)) return {};
  eval::Hints::Names known = field_names(*type->shape);
  for (const Shape* s = type->shape; s; s = s->parent)
    for (const lang::Function& f : s->decl->functions) known.push_back(ev_.text(f.name));
  for (const lang::Method& m : type->shape->decl->methods) {
    if (m.name == name) return {};
    known.push_back(ev_.text(m.name));
  }
  std::string owner = format("{}{}", model ? "model " : "", ev_.text(type->shape->name));
  report(Kind::UnknownMember, use, format("{} has no `{}`", owner, word), word, known, owner);
  found.missing = true;
  return found;
}

// Which case a value is, is not known here: one that has the field is enough.
NameCheck::Meaning NameCheck::field_of_choice(const Shape& choice, Symbol name, Span use) {
  for (const Shape* c : choice.cases)
    if (const eval::Field* f = c->field(name)) {
      Meaning found;
      found.type = ev_.type(f->type, f->env);
      return found;
    }
  if (unrun())
    report(Kind::UnknownMember, use,
           format("no case of {} has a `{}`", ev_.text(choice.name), ev_.text(name)));
  return {};
}

void NameCheck::report(Kind kind, Span use, std::string headline, std::string_view wanted,
                       const std::vector<std::string_view>& known, std::string_view owner) {
  if (told_.contains(use.begin)) return;
  DiagnosticBuilder message(kind, use, std::move(headline));
  if (!wanted.empty()) eval::Hints(ev_).member(message, wanted, use, known, owner);
  ev_.sink().add(std::move(message));
}

std::vector<std::string_view> NameCheck::case_names(const Shape& choice) const {
  std::vector<std::string_view> names;
  names.reserve(choice.cases.size());
  for (const Shape* c : choice.cases) names.push_back(ev_.text(c->name));
  return names;
}

std::vector<std::string_view> NameCheck::parameter_names(const Meaning& callee) const {
  if (callee.shape) return eval::Hints(ev_).fields_of(callee.shape);
  std::vector<std::string_view> names;
  for (const auto& p : callee.function->parameters) names.push_back(ev_.text(p.name));
  return names;
}

std::vector<std::string_view> NameCheck::field_names(const Shape& shape) const {
  std::vector<std::string_view> names;
  names.reserve(shape.fields.size());
  for (const eval::Field& f : shape.fields) names.push_back(ev_.text(f.name));
  return names;
}

void NameCheck::report_unknown(Symbol name, const Scope& scope, bool callable, Span use) {
  if (told_.contains(use.begin)) return;
  // `batch.micro` in a rule about `p`
  for (const Scope* s = &scope; s && !callable; s = s->parent)
    for (const auto& [local, meaning] : s->names) {
      const Type* type = plain(meaning.type);
      if (!type || type->kind != TypeKind::record || !type->shape->field(name)) continue;
      std::string path = format("{}.{}", ev_.text(local), ev_.text(name));
      ev_.sink().add(DiagnosticBuilder(Kind::UnknownName, use,
                                       format("nothing here is named `{}`", ev_.text(name)))
                         .help(format("write `{}`", path), use, path));
      return;
    }
  // The names in scope, for a suggestion.
  eval::Env env;
  env.parent = env_;
  auto add = [&](Symbol known) { env.locals.push_back({known, {}}); };
  for (const Scope* s = &scope; s; s = s->parent) {
    for (const auto& [local, meaning] : s->names) add(local);
    if (s->body)
      for (const lang::Let& let : s->body->lets) add(let.name);
    if (s->shape)
      for (const eval::Field& f : s->shape->fields) add(f.name);
  }
  ev_.unknown_name(name, &env, callable, use);
}

}  // namespace dtp::sema

// Types as written -> types as checked; shapes of types, choices, cases and models.
#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"

namespace dtp::eval {

using lang::TypeExpr;
using lang::TypeExprKind;

const Type* Evaluator::simple_type(TypeKind kind, Symbol name) {
  const Type*& kept = simple_[static_cast<size_t>(kind)];
  if (!kept) {
    auto* t = make<Type>();
    t->kind = kind;
    t->name = name;
    kept = t;
  }
  return kept;
}

const Type* Evaluator::type(const TypeExpr* t, Env* env) {
  if (!t) return nullptr;
  auto [slot, fresh] = types_.try_emplace(t, nullptr);
  if (!fresh) return slot->second;
  const Type* result = nullptr;
  switch (t->kind) {
    case TypeExprKind::name: result = named_type(t, env); break;
    case TypeExprKind::multiply:
    case TypeExprKind::divide: result = quantity_type(t, env); break;
    case TypeExprKind::tensor:
    case TypeExprKind::tuple:
    case TypeExprKind::range:
    case TypeExprKind::error: result = simple_type(TypeKind::any, {}); break;
  }
  if (t->optional && result) {
    auto* optional = make<Type>();
    optional->kind = TypeKind::optional;
    optional->element = result;
    result = optional;
  }
  types_[t] = result;
  return result;
}

const Type* Evaluator::quantity_type(const TypeExpr* t, Env* env) {
  const Type* a = type(t->arguments[0], env);
  const Type* b = type(t->arguments[1], env);
  auto dimension = [](const Type* side) { return side && side->kind == TypeKind::quantity; };
  if (!a || !b) return nullptr;
  if (b->kind == TypeKind::optional) {  // Money / Time?: the whole may be absent
    lang::TypeExpr rest = *t->arguments[1];
    rest.optional = false;
    const TypeExpr* terms[] = {t->arguments[0], make<TypeExpr>(rest)};
    auto* whole = make<TypeExpr>(*t);
    whole->arguments = llvm::ArrayRef(terms, 2);
    auto* optional = make<Type>();
    optional->kind = TypeKind::optional;
    optional->element = quantity_type(whole, env);
    return optional->element ? optional : nullptr;
  }
  auto* result = make<Type>();
  // Money / Time: a family over a dimension. Which currency is open, so only that it is one can be
  // checked.
  if (a->kind == TypeKind::family && dimension(b) && t->kind == TypeExprKind::divide) {
    result->kind = TypeKind::family;
    result->name = a->name;
    result->dimension = b->dimension;
    return result;
  }
  if (!dimension(a) || !dimension(b)) {
    error(Kind::UnknownType, t->span,
          "`*` and `/` between types join dimensions, such as Memory / Time");
    return nullptr;
  }
  result->kind = TypeKind::quantity;
  result->dimension =
      t->kind == TypeExprKind::divide ? a->dimension / b->dimension : a->dimension * b->dimension;
  return result;
}

void Evaluator::type_range(const TypeExpr* t, Env* env, Type& result) {
  if (t->arguments.empty() || t->arguments[0]->kind != TypeExprKind::range) return;
  const TypeExpr* range = t->arguments[0];
  Value lo = evaluate(range->lo, env);
  if (lo.is(ValueKind::number)) result.lo = lo.number;
  if (range->hi) {
    Value hi = evaluate(range->hi, env);
    if (hi.is(ValueKind::number)) result.hi = hi.number;
  }
  if (result.lo && result.hi && compare_less(*result.hi, *result.lo) == Verdict::proved) {
    sink_.add(diagnose(Kind::BadDeclaration, range->span, "nothing lies in this range")
                  .help(format("the lower end stands first: `{}({}..{})`", text(t->path[0]),
                               print(make_number(*result.hi)), print(make_number(*result.lo)))));
    result.lo = result.hi = nullptr;
  }
  result.exclusive = range->exclusive;
}

const Type* Evaluator::named_type(const TypeExpr* t, Env* env) {
  if (t->path.size() != 1) return declared_type(t, env);
  std::string_view name = text(t->path[0]);
  auto ranged = [&](TypeKind kind) -> const Type* {
    if (t->has_dims) return simple_type(TypeKind::any, {});  // Int[B, T]: a tensor
    if (t->arguments.empty()) return simple_type(kind, t->path[0]);
    auto* result = make<Type>();
    result->kind = kind;
    result->name = t->path[0];
    type_range(t, env, *result);
    return result;
  };
  auto container = [&](TypeKind kind) -> const Type* {
    size_t wanted = kind == TypeKind::map ? 2 : 1;
    if (t->arguments.size() != wanted || t->has_dims) {
      bool map = kind == TypeKind::map;
      sink_.add(diagnose(Kind::UnknownType, t->span,
                         map ? "a Map says what its keys and its values are"
                             : "a List says what it holds")
                    .help(map ? "write `Map(String, Int)`" : "write `List(Int)`"));
      return nullptr;
    }
    auto* result = make<Type>();
    result->kind = kind;
    if (!t->arguments.empty()) {
      result->element = type(t->arguments.back(), env);
      if (kind == TypeKind::map) result->key = type(t->arguments[0], env);
    }
    return result;
  };
  if (name == "Int") return ranged(TypeKind::integer);
  if (name == "Real") return ranged(TypeKind::real);
  if (name == "Bool")
    return t->has_dims ? simple_type(TypeKind::any, {})
                       : simple_type(TypeKind::boolean, t->path[0]);
  if (name == "String") return simple_type(TypeKind::string, t->path[0]);
  if (name == "Date") return simple_type(TypeKind::date, t->path[0]);
  if (name == "Model") return simple_type(TypeKind::model, t->path[0]);
  if (name == "Script")
    return simple_type(TypeKind::shell, t->path[0]);  // text of an emitted script
  if (name == "Any" || name == "Pattern") return simple_type(TypeKind::any, t->path[0]);
  if (name == "List") return container(TypeKind::list);
  if (name == "Map") return container(TypeKind::map);
  return declared_type(t, env);
}

const Type* Evaluator::declared_type(const TypeExpr* t, Env* env) {
  Symbol name = t->path.back();
  if (t->path.size() == 1) {
    if (auto dimension = units_.dimension(text(name))) {
      auto* result = make<Type>();
      result->kind = TypeKind::quantity;
      result->dimension = *dimension;
      return result;
    }
    if (units_.is_family(text(name))) {
      auto* result = make<Type>();
      result->kind = TypeKind::family;
      result->name = name;
      return result;
    }
  }
  Env* module_scope = env;
  while (module_scope && !module_scope->module) module_scope = module_scope->parent;
  Value v = poison();
  bool found = false;
  if (t->path.size() > 1 && module_scope) {
    lang::Module* module = module_scope->module;
    for (size_t i = 0; i + 1 < t->path.size() && module; ++i) {
      const lang::Import* import = module->find_import(t->path[i]);
      module = import ? import->module : nullptr;
    }
    if (module) v = from_module(module, name, true, found);
  } else {
    if (module_scope) v = from_module(module_scope->module, name, true, found);
    if (!found && module_scope)  // a file sees the types of the files it imports by their own names
      for (const lang::Import& import : module_scope->module->imports)
        if (import.module && import.module->is_library && !found)
          v = from_module(import.module, name, true, found);
    if (!found) v = from_prelude(name, true, found);
  }
  if (v.is(ValueKind::shape)) {
    auto* result = make<Type>();
    result->kind = v.shape->kind == ShapeKind::choice  ? TypeKind::choice
                   : v.shape->kind == ShapeKind::model ? TypeKind::model
                                                       : TypeKind::record;
    result->shape = v.shape;
    result->name = name;
    if (v.shape->decl->alias) return type(v.shape->decl->alias, v.shape->env);
    return result;
  }
  if (found && v.poisoned()) return nullptr;
  if (given_up(name, env)) return nullptr;
  std::vector<std::string_view> known = {"Int",  "Real", "Bool", "String",
                                         "Date", "List", "Map",  "Model"};
  for (const auto& b : units_.base_dimensions()) known.push_back(b.name);
  auto add_module = [&](lang::Module* m) {
    for (const lang::DeclEntry& e : m->entries)
      if (e.kind == lang::DeclKind::type || e.kind == lang::DeclKind::choice)
        known.push_back(text(e.name));
  };
  if (module_scope) add_module(module_scope->module);
  if (prelude_)
    for (const lang::Import& i : prelude_->imports)
      if (i.module) add_module(i.module);
  auto builder = diagnose(Kind::UnknownType, t->span, format("there is no type `{}`", text(name)));
  std::string_view word = text(name);
  if (word == "Optional" || word == "Maybe" || word == "Option" || word == "Union")
    builder.help("what may be absent has a `?` after its type: `Int?`");
  else if (!Hints(*this).near(builder, word, t->span, known) && !t->path.empty())
    builder.note(
        format("your own are declared: `type {0} {{ ... }}`, `choice {0} {{ ... }}` or "
               "`dimension {0}`",
               word));
  sink_.add(std::move(builder));
  return nullptr;
}

void Evaluator::add_field(Shape& shape, const Field& field) {
  auto [slot, fresh] =
      shape.by_name.try_emplace(field.name.value, static_cast<uint32_t>(shape.fields.size()));
  if (fresh) {
    shape.fields.push_back(field);
    return;
  }
  // `name = value` in a type that inherits: a new default for the field.
  Field& known = shape.fields[slot->second];
  if (field.type) known.type = field.type;
  if (field.fallback) known.fallback = field.fallback;
  known.env = field.env;
  known.span = field.span;
}

const Shape* Evaluator::case_shape(const Shape* choice, const lang::Case& c, Env* env) {
  auto* s = make<Shape>();
  s->kind = ShapeKind::case_;
  s->name = c.name;
  s->span = c.span;
  s->decl = choice->decl;
  s->env = env;
  s->choice = choice;
  for (const lang::Parameter& p : c.parameters)
    add_field(*s, {p.name, p.span, lang::Stage::given, p.type, p.fallback, env});
  for (const lang::TypeField& f : choice->decl->fields)
    add_field(*s, {f.name, f.span, f.stage, f.type, f.fallback, env});
  return s;
}

const Shape* Evaluator::shape(lang::Module* module, const lang::Decl* decl) {
  auto [slot, fresh] = shapes_.try_emplace(decl, nullptr);
  if (!fresh) return slot->second;
  Env* env = module_env(module);
  auto* s = make<Shape>();
  s->name = decl->name;
  s->span = decl->name_span;
  s->decl = decl;
  s->env = env;
  shapes_[decl] = s;
  switch (decl->kind) {
    case lang::DeclKind::choice:
      s->kind = ShapeKind::choice;
      for (const lang::Case& c : decl->cases) s->cases.push_back(case_shape(s, c, env));
      break;
    case lang::DeclKind::model:
      s->kind = ShapeKind::model;
      for (const lang::Parameter& p : decl->parameters)
        add_field(*s, {p.name, p.span, lang::Stage::given, p.type, p.fallback, env});
      break;
    default:
      if (!decl->parent.empty()) {
        lang::TypeExpr parent;
        parent.kind = TypeExprKind::name;
        parent.span = decl->parent_span;
        parent.path = decl->parent;
        const Type* t = declared_type(&parent, env);
        if (t && t->kind == TypeKind::record) {
          if (t->shape->parent)
            error(Kind::BadDeclaration, decl->parent_span,
                  "types inherit one level deep, and this parent inherits already");
          s->parent = t->shape;
          for (const Field& f : t->shape->fields) add_field(*s, f);
        }
      }
      for (const lang::TypeField& f : decl->fields)
        add_field(*s, {f.name, f.span, f.stage, f.type, f.fallback, env});
      break;
  }
  return s;
}

void Evaluator::check_types(lang::Module* module, lang::DeclEntry& entry) {
  const lang::Decl* decl = module->declaration(entry);
  Env* env = module_env(module);
  auto function_types = [&](const lang::Function& f) {
    for (const lang::Parameter& p : f.parameters) type(p.type, env);
    type(f.result, env);
  };
  if (decl->function) function_types(*decl->function);
  Value v = declared(module, entry);
  if (!v.is(ValueKind::shape)) return;
  auto field_types = [&](const Shape& s) {
    for (const Field& f : s.fields) type(f.type, f.env);
  };
  field_types(*v.shape);
  for (const Shape* c : v.shape->cases) field_types(*c);
  if (module->has_errors) return;
  if (decl->kind == lang::DeclKind::choice && decl->cases.empty())
    sink_.add(diagnose(Kind::BadDeclaration, decl->name_span,
                       format("the choice `{}` has no case", text(decl->name)))
                  .help(format("write `choice {} {{ one, other }}`", text(decl->name))));
  if (decl->kind == lang::DeclKind::type) check_fields(*decl, *v.shape);
  if (decl->alias) type(decl->alias, env);
  for (const lang::Function& f : decl->functions) function_types(f);
}

// A field without a type is a new default of one that the type inherits.
void Evaluator::check_fields(const lang::Decl& decl, const Shape& shape) {
  for (const lang::TypeField& f : decl.fields) {
    const Field* whole = shape.field(f.name);
    if (!whole || whole->type) continue;
    auto builder = diagnose(Kind::BadDeclaration, f.span,
                            shape.parent ? format("{} has no field `{}` to give a new default to",
                                                  text(shape.parent->name), text(f.name))
                                         : format("the field `{}` has no type", text(f.name)));
    if (!shape.parent ||
        !Hints(*this).near(builder, text(f.name), f.span, Hints(*this).fields_of(shape.parent)))
      builder.help(format("a field has its type after `:`, as in `{}: Int`", text(f.name)));
    sink_.add(std::move(builder));
  }
}

std::string Evaluator::print(const Type* t) const {
  if (!t) return "anything";
  switch (t->kind) {
    case TypeKind::any: return "a value";
    case TypeKind::integer:
    case TypeKind::real: {
      std::string out = t->kind == TypeKind::integer ? "Int" : "Real";
      if (t->lo) {
        auto* self = const_cast<Evaluator*>(this);
        out += "(" + print(self->make_number(*t->lo)) + (t->exclusive ? "..<" : "..");
        if (t->hi) out += print(self->make_number(*t->hi));
        out += ")";
      }
      return out;
    }
    case TypeKind::boolean: return "Bool";
    case TypeKind::string: return "String";
    case TypeKind::date: return "Date";
    case TypeKind::quantity: return units_.describe(t->dimension);
    case TypeKind::family: {
      std::string name(text(t->name));
      return t->dimension.is_none() ? name : name + " / " + units_.describe(t->dimension);
    }
    case TypeKind::optional: return print(t->element) + " or none";
    case TypeKind::list: return t->element ? "List(" + print(t->element) + ")" : "List";
    case TypeKind::map: return "Map";
    case TypeKind::record:
    case TypeKind::choice: return std::string(text(t->shape->name));
    case TypeKind::model: return "Model";
    case TypeKind::function: return "a function";
    case TypeKind::shell: return "text";
  }
  return "?";
}

}  // namespace dtp::eval

#include "sema/name_check.h"

#include <algorithm>
#include <cctype>

#include "eval/hints.h"

namespace dtp::sema {

using eval::Shape;
using eval::Type;
using eval::TypeKind;
using lang::StatementKind;

NameCheck::NameCheck(eval::Evaluator& evaluator, lang::Module& module,
                     const std::vector<Diagnostic>& told)
    : ev_(evaluator), module_(module), env_(evaluator.module_env(&module)) {
  for (const Diagnostic& d : told)
    // What ran and was told there is not told again in other words.
    for (const Label& label : d.labels) {
      bool name = d.kind == Kind::UnknownName || d.kind == Kind::NotCallable ||
                  d.kind == Kind::HoleLeft || d.kind == Kind::UnknownMember ||
                  d.kind == Kind::UnknownField || d.kind == Kind::UnknownCase ||
                  d.kind == Kind::WrongArguments || d.kind == Kind::UnknownUnit ||
                  d.kind == Kind::WrongOperands || d.kind == Kind::MissingField;
      if (name && label.span.file == module.file) told_.insert(label.span.begin);
    }
}

void NameCheck::check(lang::DeclEntry& entry) {
  const lang::Decl& decl = *module_.declaration(entry);
  Scope file;
  switch (entry.kind) {
    case lang::DeclKind::let: visit(decl.let->value, file, ev_.type(decl.let->type, env_)); return;
    case lang::DeclKind::plan: {
      visit(decl.value, file);
      if (!decl.body) return;
      Meaning plan;
      find_value(sym::Plan, file, nullptr, plan);
      return body(inside(*decl.body, nullptr, plan.shape, file));
    }
    case lang::DeclKind::requirement: return requirement(*decl.requirement, file);
    case lang::DeclKind::function: return function(*decl.function, file, nullptr);
    case lang::DeclKind::type:
      if (!decl.alias) check_type(decl, *ev_.shape(&module_, &decl));
      return;
    case lang::DeclKind::choice:
      for (const Shape* c : ev_.shape(&module_, &decl)->cases) {
        Scope scope{&file, {}, c};
        for (const eval::Field& f : c->fields) visit(f.fallback, scope, ev_.type(f.type, f.env));
      }
      return;
    case lang::DeclKind::rule: return check_rule(decl, file);
    case lang::DeclKind::model: return check_model(decl, *ev_.shape(&module_, &decl));
    default: return;
  }
}

void NameCheck::check_type(const lang::Decl& decl, const Shape& shape) {
  Scope file;
  Scope scope{&file, {}, &shape};
  ++unrun_;
  for (const lang::TypeField& f : decl.fields) {
    const eval::Field* whole = shape.field(f.name);
    visit(f.fallback, scope, whole && whole->type ? ev_.type(whole->type, whole->env) : nullptr);
  }
  for (const lang::Let& let : decl.lets) visit(let.value, scope, ev_.type(let.type, env_));
  for (const lang::Function& f : decl.functions) function(f, scope, signature(&shape, f.name));
  for (const lang::Requirement& r : decl.requirements) requirement(r, scope);
  --unrun_;
}

void NameCheck::check_model(const lang::Decl& decl, const Shape& shape) {
  Scope file;
  Scope parameters{&file, {}, &shape};
  ++unrun_;
  for (const eval::Field& f : shape.fields)
    visit(f.fallback, parameters, f.type ? ev_.type(f.type, f.env) : nullptr);
  for (const lang::Let& let : decl.lets) visit(let.value, parameters, ev_.type(let.type, env_));
  for (const lang::Requirement& r : decl.requirements) requirement(r, parameters);
  Scope parts{&parameters};
  for (const lang::Let& part : decl.parts) {
    Meaning made = visit(part.value, parts);
    bool model = made.type && made.type->kind == TypeKind::model;
    parts.names.push_back({part.name, model ? made : Meaning{}});
  }
  for (const lang::Method& m : decl.methods) parts.names.push_back({m.name, {}});
  for (const lang::Method& m : decl.methods) method(m, parts);
  --unrun_;
}

void NameCheck::method(const lang::Method& m, const Scope& outer) {
  Scope scope{&outer};
  for (const lang::Parameter& p : m.parameters) {
    visit(p.fallback, scope);
    tensor(p.type);
    dims(p.type, scope);
    scope.names.push_back({p.name, {}});
  }
  dims(m.result, scope);
  if (m.block) block(*m.block, scope);
}

// What goes into a method is told by its shape.
void NameCheck::tensor(const lang::TypeExpr* type) {
  if (!type) return;
  auto bare = [&](const lang::TypeExpr* t) {
    if (t->kind != lang::TypeExprKind::name || t->has_dims || t->path.size() != 1) return false;
    std::string_view name = ev_.text(t->path[0]);
    return name != "Int" && name != "Real" && name != "Bool" && name != "List";
  };
  bool sizes = type->kind == lang::TypeExprKind::tuple &&
               std::all_of(type->arguments.begin(), type->arguments.end(), bare);
  if (!sizes && !bare(type)) {
    if (type->kind == lang::TypeExprKind::tuple)
      for (const lang::TypeExpr* element : type->arguments) tensor(element);
    return;
  }
  ev_.sink().add(DiagnosticBuilder(
                     Kind::UnknownType, type->span,
                     sizes ? "parentheses hold several tensors, and these are sizes"
                           : format("`{}` is not the shape of a tensor", ev_.text(type->path[0])))
                     .help("write its sizes in brackets: `[B, T, D]`, `Int[B, T]`, or `[]` for a "
                           "single number"));
}

// A fresh symbol starts with a capital letter and is bound by its first use.
void NameCheck::dims(const lang::TypeExpr* type, Scope& scope) {
  if (!type) return;
  for (const lang::TypeExpr* element : type->arguments)
    if (type->kind == lang::TypeExprKind::tuple) dims(element, scope);
  for (const lang::Expr* d : type->dims) {
    std::string_view name =
        d->kind == lang::ExprKind::name ? ev_.text(d->name) : std::string_view();
    bool capital = !name.empty() && std::isupper(static_cast<unsigned char>(name[0]));
    Meaning known;
    if (capital && !find_value(d->name, scope, nullptr, known))
      scope.names.push_back({d->name, {}});
    else
      visit(d, scope);
  }
}

void NameCheck::block(const lang::Block& block, Scope& scope) {
  for (const lang::Statement* s : block.statements) statement(*s, scope);
}

void NameCheck::check_rule(const lang::Decl& decl, const Scope& outer) {
  Scope scope{&outer};
  ++unrun_;
  for (const lang::Parameter& p : decl.parameters) {
    Meaning meaning;
    meaning.type = ev_.type(p.type, env_);
    scope.names.push_back({p.name, meaning});
  }
  if (decl.block) block(*decl.block, scope);
  --unrun_;
}

void NameCheck::statement(const lang::Statement& s, Scope& scope) {
  // `code = DTP4101` of a rule is a word, no name of anything.
  if (s.kind == StatementKind::assign && s.names.size() == 1 && s.names[0] == sym::code &&
      s.value->kind == lang::ExprKind::name)
    return;
  visit(s.value, scope);
  for (const lang::Expr* e : s.values) visit(e, scope);
  if (s.requirement) requirement(*s.requirement, scope);
  if (s.kind == StatementKind::repeat || s.kind == StatementKind::for_) {
    Scope inside{&scope};  // names first bound inside end with the loop
    for (Symbol name : s.names) inside.names.push_back({name, {}});
    visit(s.key_text, inside);
    if (s.block) block(*s.block, inside);
    return;
  }
  for (Symbol name : s.names) scope.names.push_back({name, {}});
  if (s.block) block(*s.block, scope);
  if (s.otherwise) block(*s.otherwise, scope);
}

void NameCheck::function(const lang::Function& f, const Scope& outer,
                         const lang::Function* signature) {
  Scope scope{&outer};
  ++unrun_;
  for (size_t i = 0; i < f.parameters.size(); ++i) {
    const lang::Parameter& p = f.parameters[i];
    const lang::TypeExpr* written = p.type;
    if (!written && signature && i < signature->parameters.size())
      written = signature->parameters[i].type;
    const Type* type = ev_.type(written, env_);
    visit(p.fallback, scope, type);
    Meaning meaning;
    meaning.type = type;
    scope.names.push_back({p.name, meaning});
  }
  visit(f.body, scope, ev_.type(f.result, env_));
  --unrun_;
}

void NameCheck::requirement(const lang::Requirement& r, const Scope& scope) {
  visit(r.condition, scope);
  visit(r.text, scope);
  path(r.blame, r.blame_spans, scope);
  for (const lang::Suggestion& s : r.suggestions) {
    path(s.path, s.path_spans, scope);
    suggested(s, scope);
  }
}

void NameCheck::path(llvm::ArrayRef<Symbol> names, llvm::ArrayRef<Span> spans, const Scope& scope) {
  if (names.empty() || names.size() != spans.size()) return;
  ++unrun_;  // nothing runs it where the requirement holds
  Meaning object = value_named(names[0], scope, spans[0], nullptr);
  for (size_t i = 1; i < names.size() && !object.missing; ++i)
    object = member(object, names[i], spans[i]);
  --unrun_;
}

// The value may be a case of the field's choice, which is looked up when it is tried.
void NameCheck::suggested(const lang::Suggestion& s, const Scope& scope) {
  if (s.value->kind != lang::ExprKind::name && s.value->kind != lang::ExprKind::call)
    visit(s.value, scope);
}

// What the undermost type says of a function's parameters holds for all that are written over it.
const lang::Function* NameCheck::signature(const Shape* shape, Symbol function) {
  const lang::Function* found = nullptr;
  for (const Shape* s = shape; s; s = s->parent)
    for (const lang::Function& f : s->decl->functions)
      if (f.name == function) found = &f;
  return found;
}

NameCheck::Scope NameCheck::inside(const lang::RecordBody& body, const Type* type,
                                   const Shape* shape, const Scope& outer) {
  bool map = type && type->kind == TypeKind::map;
  return {&outer, {}, shape, &body, !shape && !map};
}

// What stands between { and }.
void NameCheck::body(const Scope& scope, const Type* map_element) {
  const Shape* shape = scope.shape;
  for (const lang::Let& let : scope.body->lets) visit(let.value, scope, ev_.type(let.type, env_));
  for (const lang::Function& f : scope.body->functions)
    function(f, scope, signature(shape, f.name));
  for (const lang::Requirement& r : scope.body->requirements) requirement(r, scope);
  if (scope.body->goal)
    for (const lang::Expr* aim : scope.body->goal->aims) visit(aim, scope);
  for (const lang::FieldDef& f : scope.body->fields) {
    const eval::Field* known = shape ? shape->field(f.name) : nullptr;
    if (shape && !known && unrun())
      report(Kind::UnknownField, f.key_span,
             format("{} has no field `{}`", ev_.text(shape->name), ev_.text(f.name)),
             ev_.text(f.name), eval::Hints(ev_).fields_of(shape), ev_.text(shape->name));
    field(f, known && known->type ? ev_.type(known->type, known->env) : map_element, scope);
  }
}

void NameCheck::field(const lang::FieldDef& f, const Type* type, const Scope& scope) {
  if (!f.body) {
    visit(f.value, scope, type);
    return;
  }
  const Type* inner = plain(type);
  bool record = inner && inner->kind == TypeKind::record;
  Scope amended = inside(*f.body, inner, record ? inner->shape : nullptr, scope);
  amended.open = true;  // the lets of what is there already
  body(amended, inner ? inner->element : nullptr);
}

}  // namespace dtp::sema

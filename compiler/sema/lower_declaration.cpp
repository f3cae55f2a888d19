#include "base/nearest_name.h"
#include "base/out.h"
#include "sema/lowering.h"

namespace dtp::sema {

using lang::Decl;
using lang::DeclKind;
using syntax::NodeId;
using syntax::NodeKind;

llvm::ArrayRef<Symbol> Lowerer::symbols(std::span<const NodeId> ids) {
  std::vector<Symbol> list;
  for (NodeId id : ids) list.push_back(symbol(id));
  return keep(list);
}

llvm::ArrayRef<Span> Lowerer::spans(std::span<const NodeId> ids) {
  std::vector<Span> list;
  list.reserve(ids.size());
  for (NodeId id : ids) list.push_back(span(id));
  return keep(list);
}

llvm::ArrayRef<Symbol> Lowerer::bound_names(std::span<const NodeId> ids) {
  llvm::ArrayRef<Symbol> all = symbols(ids);
  Once names = once("is bound twice at once");
  for (size_t i = 0; i < ids.size() && ids.size() > 1; ++i) names.see(all[i], span(ids[i]));
  return all;
}

llvm::ArrayRef<Span> Lowerer::path_spans(NodeId id) {
  if (id == syntax::kNoNode) return {};
  return spans(tree_.children(id));
}

llvm::ArrayRef<Symbol> Lowerer::path(NodeId id) {
  if (id == syntax::kNoNode) return {};
  return symbols(tree_.children(id));
}

void Lowerer::declare(lang::Module& module, DeclKind kind, NodeId node, NodeId name) {
  lang::DeclEntry entry;
  entry.kind = kind;
  entry.node = node;
  if (name != syntax::kNoNode) {
    entry.name = symbol(name);
    entry.name_span = span(name);
    auto index = static_cast<uint32_t>(module.entries.size());
    auto [found, fresh] = module.by_name.try_emplace(entry.name.value, index);
    if (!fresh) {
      const lang::DeclEntry& first = module.entries[found->second];
      sink_.add(DiagnosticBuilder(Kind::DeclaredTwice, entry.name_span,
                                  format("`{}` is declared twice in this file", tree_.text(name)))
                    .label(first.name_span, "first here"));
    }
  }
  module.entries.push_back(entry);
}

// The one version there is. The line is first, so that what follows is read by its rules.
void Lowerer::check_version(NodeId id) {
  constexpr std::string_view kVersion = "1";
  std::string_view version = tree_.text(tree_.child(id, 0));
  if (NodeId first = tree_.child(tree_.root(), 0); first != id) {
    sink_.add(DiagnosticBuilder(Kind::LanguageVersion, span(id),
                                format("`dtp {}` comes first in a file: all of it is read by the "
                                       "rules of one version",
                                       version))
                  .label({span(first).file, span(first).begin, span(first).begin + 1},
                         "this comes before"));
    return;
  }
  if (version == kVersion) return;
  sink_.add(
      DiagnosticBuilder(
          Kind::LanguageVersion, span(tree_.child(id, 0)),
          format(
              "this dtpc reads version {} of the language, and the file is written in version {}",
              kVersion, version))
          .help(format("write `dtp {}`", kVersion), span(tree_.child(id, 0)),
                std::string(kVersion)));
}

void Lowerer::index(lang::Module& module) {
  for (NodeId id : tree_.children(tree_.root())) {
    NodeId first = tree_.child(id, 0);
    switch (tree_.kind(id)) {
      case NodeKind::Version: check_version(id); break;
      case NodeKind::Let: declare(module, DeclKind::let, id, first); break;
      case NodeKind::Fn: declare(module, DeclKind::function, id, first); break;
      case NodeKind::Type: declare(module, DeclKind::type, id, first); break;
      case NodeKind::Choice: declare(module, DeclKind::choice, id, first); break;
      case NodeKind::Family: declare(module, DeclKind::family, id, first); break;
      case NodeKind::Dimension: declare(module, DeclKind::dimension, id, first); break;
      case NodeKind::Unit: declare(module, DeclKind::unit, id, syntax::kNoNode); break;
      case NodeKind::Model: declare(module, DeclKind::model, id, first); break;
      case NodeKind::Rule: declare(module, DeclKind::rule, id, first); break;
      case NodeKind::Plan: declare(module, DeclKind::plan, id, first); break;
      case NodeKind::Require: declare(module, DeclKind::requirement, id, syntax::kNoNode); break;
      case NodeKind::Allow: declare(module, DeclKind::allowance, id, syntax::kNoNode); break;
      default: break;
    }
  }
}

const Decl* Lowerer::lower(lang::Module&, lang::DeclEntry& entry) {
  auto* decl = make<Decl>();
  NodeId id = entry.node;
  decl->kind = entry.kind;
  decl->name = entry.name;
  decl->name_span = entry.name_span;
  decl->span = span(id);
  switch (entry.kind) {
    case DeclKind::let: {
      NoChoice here(*this, kOutsideRecords);
      decl->let = let(id);
      break;
    }
    case DeclKind::function:
      decl->function = function(id);
      if (!decl->function->body && !tree_.has_errors())
        sink_.add(
            DiagnosticBuilder(Kind::BadDeclaration, decl->name_span,
                              format("`{}` does not say what it gives", tree_.text(name_of(id))))
                .help(format("write `fn {}(...) = ...`; only a type may leave it to others",
                             tree_.text(name_of(id)))));
      break;
    case DeclKind::type: lower_type(id, *decl); break;
    case DeclKind::choice: lower_choice(id, *decl); break;
    case DeclKind::family: break;
    case DeclKind::dimension:
      decl->parent = path(tree_.child(id, 1));
      if (!decl->parent.empty()) decl->parent_span = span(tree_.child(id, 1));
      decl->alias = type(tree_.child(id, 2));
      break;
    case DeclKind::unit: lower_unit(id, *decl); break;
    case DeclKind::model: lower_model(id, *decl); break;
    case DeclKind::rule: {
      NoChoice here(*this, "in a rule");
      decl->parameters = parameters(tree_.child(id, 1));
      decl->block = rule_block(tree_.child(id, 2));
      break;
    }
    case DeclKind::plan: {
      NoChoice here(*this, kOutsideRecords);
      decl->value = expression(tree_.child(id, 1));
      decl->body = body(tree_.child(id, 2));
      break;
    }
    case DeclKind::requirement: decl->requirement = requirement(id); break;
    case DeclKind::allowance: decl->allowance = allowance(id); break;
  }
  check_said_once(*decl);
  return decl;
}

// `cod = HOUSE_1`: a name that is set to a word, which is what `code` is for.
const lang::Block* Lowerer::rule_block(NodeId id) {
  const lang::Block* whole = block(id);
  if (!whole) return nullptr;
  constexpr std::string_view kCode[] = {"code"};
  std::vector<const lang::Statement*> kept;
  for (const lang::Statement* s : whole->statements) {
    bool word = s->kind == lang::StatementKind::assign && s->names.size() == 1 &&
                s->value->kind == lang::ExprKind::name && s->names[0] != sym::code;
    if (word && !nearest_name(names_.text(s->names[0]), kCode).empty())
      sink_.add(
          DiagnosticBuilder(Kind::BadDeclaration, s->name_spans[0],
                            format("nothing in a rule is named `{}`", names_.text(s->names[0])))
              .help("did you mean `code`?", s->name_spans[0], "code"));
    else
      kept.push_back(s);
  }
  auto* result = make<lang::Block>(*whole);
  result->statements = keep(kept);
  return result;
}

void Lowerer::check_said_once(const Decl& decl) {
  Once values = once(format("is declared twice in this {}", word(decl.kind)));
  if (decl.kind == DeclKind::model)
    for (const lang::Parameter& p : decl.parameters) values.know(p.name, p.span);
  for (const lang::TypeField& f : decl.fields) values.see(f.name, f.span);
  for (const lang::Case& c : decl.cases)
    for (const lang::Parameter& p : c.parameters)
      for (const lang::TypeField& common : decl.fields)
        if (p.name == common.name)
          values.report(p.name, p.span, common.span, "is a field of all cases already");
  for (const lang::Let& l : decl.lets) values.see(l.name, l.span);
  for (const lang::Let& p : decl.parts) values.see(p.name, p.span);
  // What is called has names of its own, and cases are found by their type.
  Once called = once(format("is defined twice in this {}", word(decl.kind)));
  for (const lang::Function& f : decl.functions) called.see(f.name, f.span);
  for (const lang::Method& m : decl.methods) called.see(m.name, m.span);
  for (const lang::Case& c : decl.cases) called.see(c.name, c.span);
  Once labels = once("labels two requirements of one body");
  for (const lang::Requirement& r : decl.requirements) labels.see(r.label, r.label_span);
}

void Lowerer::lower_type(NodeId id, Decl& decl) {
  NoChoice here(*this, "in a type");
  decl.alias = type(tree_.child(id, 1));
  if (NodeId parent = tree_.child(id, 2); parent != syntax::kNoNode) {
    decl.parent = path(parent);
    decl.parent_span = span(parent);
  }
  std::vector<lang::TypeField> fields;
  std::vector<lang::Let> lets;
  std::vector<lang::Function> functions;
  std::vector<lang::Requirement> requirements;
  NodeId type_body = tree_.child(id, 3);
  if (type_body != syntax::kNoNode) {
    for (NodeId item : tree_.children(type_body)) {
      switch (tree_.kind(item)) {
        case NodeKind::TypeField: {
          lang::TypeField f;
          f.stage = tree_[item].op == syntax::Op::derived     ? lang::Stage::derived
                    : tree_[item].op == syntax::Op::estimated ? lang::Stage::estimated
                                                              : lang::Stage::given;
          f.name = symbol(tree_.child(item, 0));
          f.span = span(tree_.child(item, 0));
          f.type = type(tree_.child(item, 1));
          f.fallback = expression(tree_.child(item, 2));
          fields.push_back(f);
          break;
        }
        case NodeKind::Let: lets.push_back(*let(item)); break;
        case NodeKind::Fn: functions.push_back(*function(item)); break;
        case NodeKind::Require: requirements.push_back(*requirement(item)); break;
        default: break;
      }
    }
  }
  decl.fields = keep(fields);
  decl.lets = keep(lets);
  decl.functions = keep(functions);
  decl.requirements = keep(requirements);
}

void Lowerer::lower_choice(NodeId id, Decl& decl) {
  NoChoice here(*this, "in a type");
  std::vector<lang::Case> cases;
  std::vector<lang::TypeField> common;
  for (NodeId item : tree_.children(id).subspan(1)) {
    if (tree_.kind(item) == NodeKind::Case) {
      cases.push_back({symbol(tree_.child(item, 0)), span(tree_.child(item, 0)),
                       parameters(tree_.child(item, 1))});
    } else if (tree_.kind(item) == NodeKind::CommonField) {
      lang::TypeField f;
      f.name = symbol(tree_.child(item, 0));
      f.span = span(tree_.child(item, 0));
      f.type = type(tree_.child(item, 1));
      f.fallback = expression(tree_.child(item, 2));
      common.push_back(f);
    }
  }
  decl.cases = keep(cases);
  decl.fields = keep(common);
}

void Lowerer::lower_model(NodeId id, Decl& decl) {
  NoChoice here(*this, "in a model");
  decl.parameters = parameters(tree_.child(id, 1));
  std::vector<lang::Let> parts;
  std::vector<lang::Let> lets;
  std::vector<lang::Requirement> requirements;
  std::vector<lang::Method> methods;
  for (NodeId item : tree_.children(id).subspan(2)) {
    switch (tree_.kind(item)) {
      case NodeKind::Part: {
        lang::Let part;
        part.name = symbol(tree_.child(item, 0));
        part.span = span(tree_.child(item, 0));
        part.value = expression(tree_.child(item, 1));
        parts.push_back(part);
        break;
      }
      case NodeKind::Let: lets.push_back(*let(item)); break;
      case NodeKind::Require: requirements.push_back(*requirement(item)); break;
      case NodeKind::Method:
        methods.push_back({symbol(tree_.child(item, 0)), span(tree_.child(item, 0)),
                           parameters(tree_.child(item, 1)), type(tree_.child(item, 2)),
                           block(tree_.child(item, 3))});
        break;
      default: break;
    }
  }
  decl.parts = keep(parts);
  decl.lets = keep(lets);
  decl.requirements = keep(requirements);
  decl.methods = keep(methods);
}

void Lowerer::lower_unit(NodeId id, Decl& decl) {
  NoChoice here(*this, "in a unit");
  decl.names = symbols(tree_.children(tree_.child(id, 0)));
  decl.name_spans = spans(tree_.children(tree_.child(id, 0)));
  decl.alias = type(tree_.child(id, 1));
  decl.value = expression(tree_.child(id, 2));
  decl.body = body(tree_.child(id, 3));
}

const lang::Let* Lowerer::let(NodeId id) {
  auto* l = make<lang::Let>();
  l->name = symbol(tree_.child(id, 0));
  l->span = span(tree_.child(id, 0));
  l->type = type(tree_.child(id, 1));
  l->value = expression(tree_.child(id, 2));
  return l;
}

const lang::Function* Lowerer::function(NodeId id) {
  NoChoice here(*this, "in a function");
  auto* f = make<lang::Function>();
  f->name = symbol(tree_.child(id, 0));
  f->span = span(tree_.child(id, 0));
  f->parameters = parameters(tree_.child(id, 1));
  f->result = type(tree_.child(id, 2));
  f->body = expression(tree_.child(id, 3));
  return f;
}

llvm::ArrayRef<lang::Parameter> Lowerer::parameters(NodeId id) {
  std::vector<lang::Parameter> list;
  if (id == syntax::kNoNode) return {};
  for (NodeId p : tree_.children(id)) {
    if (tree_.kind(p) != NodeKind::Param) continue;
    list.push_back({symbol(tree_.child(p, 0)), span(tree_.child(p, 0)), type(tree_.child(p, 1)),
                    expression(tree_.child(p, 2))});
  }
  Once names = once("names two parameters");
  for (const lang::Parameter& p : list) names.see(p.name, p.span);
  return keep(list);
}

const lang::Requirement* Lowerer::requirement(NodeId id) {
  NoChoice here(*this, "in a requirement");
  auto* r = make<lang::Requirement>();
  r->expect = tree_[id].op == syntax::Op::expect;
  r->span = span(id);
  NodeId label = tree_.child(id, 0);
  if (label != syntax::kNoNode) {
    r->label_span = span(label);
    r->label = symbol(label);
  }
  r->condition = expression(tree_.child(id, 1));
  r->text = expression(tree_.child(id, 2));
  if (r->text && r->text->kind != lang::ExprKind::string && r->text->kind != lang::ExprKind::error)
    sink_.add(DiagnosticBuilder(Kind::TypeMismatch, r->text->span,
                                "after `else` stands the text that is said where this does not "
                                "hold, in quotes"));
  r->blame = path(tree_.child(id, 3));
  r->blame_spans = path_spans(tree_.child(id, 3));
  std::vector<lang::Suggestion> suggestions;
  if (tree_.children(id).size() > 4)
    for (NodeId s : tree_.children(id).subspan(4))
      suggestions.push_back({path(tree_.child(s, 0)), path_spans(tree_.child(s, 0)),
                             expression(tree_.child(s, 1)), span(s)});
  r->suggestions = keep(suggestions);
  return r;
}

const lang::Goal* Lowerer::goal(NodeId id) {
  NoChoice here(*this, "in a goal");
  auto* g = make<lang::Goal>();
  g->maximize = tree_[id].op == syntax::Op::maximize;
  g->span = span(id);
  NodeId what = tree_.child(id, 0);
  if (tree_.kind(what) == NodeKind::List)
    g->aims = expressions(tree_.children(what));
  else
    g->aims = keep(std::vector<const lang::Expr*>{expression(what)});
  if (g->aims.empty())
    sink_.add(DiagnosticBuilder(Kind::BadDeclaration, g->span, "a goal over nothing: name a result")
                  .help("`minimize time.total`"));
  return g;
}

const lang::Allowance* Lowerer::allowance(NodeId id) {
  auto* a = make<lang::Allowance>();
  a->path = path(tree_.child(id, 0));
  a->path_span = span(tree_.child(id, 0));
  a->span = span(id);
  NodeId reason = tree_.child(id, 1);
  a->reason = string_text(reason);
  if (tree_.kind(reason) == NodeKind::String &&
      a->reason.find_first_not_of(" \t\n\r") == std::string_view::npos)
    sink_.add(DiagnosticBuilder(Kind::BadDeclaration, span(reason),
                                "an `allow` gives its reason, and this one is empty"));
  return a;
}

}  // namespace dtp::sema

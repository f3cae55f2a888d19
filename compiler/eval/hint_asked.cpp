// What fits where a `?` stands: names in scope, cases, values of the library, units.
#include <algorithm>

#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {
namespace {

constexpr size_t kMostNames = 8;

std::string listed_names(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i)
    out += format("{}`{}`", i == 0 ? "" : ", ", names[i]);
  return names.size() > kMostNames ? out + ", ..." : out;
}

// A `let` whose text says at once what it is: numbers, and what is made of an imported file's
// values. To look at others might set off what is being worked out.
bool is_plain(const lang::Expr* e, const lang::Module* module) {
  using lang::ExprKind;
  switch (e->kind) {
    case ExprKind::number:
    case ExprKind::quantity:
    case ExprKind::boolean:
    case ExprKind::string: return true;
    case ExprKind::name: return module && module->find_import(e->name);
    case ExprKind::amend:
    case ExprKind::member: return is_plain(e->a, module);
    case ExprKind::call:
      return e->a->kind == ExprKind::name &&
             std::all_of(e->arguments.begin(), e->arguments.end(),
                         [&](const lang::Argument& a) { return is_plain(a.value, module); });
    default: return false;
  }
}

}  // namespace

bool Hints::conforms(const Value& value, const Type* type) {
  if (value.poisoned()) return false;
  // A bare value may fill a record: of those no name is proposed.
  bool record = type->kind == TypeKind::record || type->kind == TypeKind::choice;
  if (record && !value.is(ValueKind::record)) return false;
  NullSink quiet;
  DiagnosticSink* before = evaluator_.swap_sink(&quiet);
  bool good = !evaluator_.conform(value, type, Span{}, "").poisoned();
  evaluator_.swap_sink(before);
  return good;
}

// Values of this file and of the files that it imports.
void Hints::values_in_scope(const Type* type, Env* env, std::vector<std::string>& out) {
  auto add = [&](lang::Module* module, const std::string& before) {
    for (lang::DeclEntry& entry : module->entries) {
      bool model = entry.kind == lang::DeclKind::model && type->kind == TypeKind::model;
      if (entry.kind != lang::DeclKind::let && !model) continue;
      if (evaluator_.being_worked_out(entry.name)) continue;
      const lang::Decl* decl = module->declaration(entry);
      // The library rests on no plan.
      if (!model && !module->is_library && !is_plain(decl->let->value, module)) continue;
      if (model || conforms(evaluator_.declared(module, entry), type))
        out.push_back(before + std::string(evaluator_.text(entry.name)));
    }
  };
  for (Env* scope = env; scope; scope = scope->parent) {
    for (const auto& [name, value] : scope->locals)
      if (conforms(value, type)) out.emplace_back(evaluator_.text(name));
    if (scope->body)
      for (const lang::Let& let : scope->body->lets)
        if (is_plain(let.value, nullptr) && !evaluator_.being_worked_out(let.name) &&
            conforms(evaluator_.evaluate(let.value, scope), type))
          out.emplace_back(evaluator_.text(let.name));
    if (!scope->module) continue;
    add(scope->module, "");
    // Numbers of the library stand for nothing beyond their file.
    bool records = type->kind == TypeKind::record || type->kind == TypeKind::model;
    for (const lang::Import& import : scope->module->imports)
      if (import.module && import.module->is_library && records)
        add(import.module, std::string(evaluator_.text(import.name)) + ".");
  }
}

void Hints::fits(DiagnosticBuilder& message, const Type* wanted, Env* env) {
  if (!evaluator_.may_propose()) return;
  const Type* type = wanted;
  while (type && type->kind == TypeKind::optional) type = type->element;
  if (type != wanted) message.note("`none` says that there is none");
  std::vector<std::string> names;
  {
    Reads alone(evaluator_, true);
    values_in_scope(type, env, names);
  }
  if (!names.empty()) message.note("in scope: " + listed_names(names));
  switch (type->kind) {
    case TypeKind::choice:
      message.note(
          format("{} is one of {}", evaluator_.text(type->shape->name), cases(type->shape)));
      break;
    case TypeKind::record: list_makers(message, type->shape); break;
    case TypeKind::model: list_library(message, "Model"); break;
    case TypeKind::boolean: message.note("`true`, `false`, or a comparison"); break;
    case TypeKind::quantity:
    case TypeKind::family: {
      bool family = type->kind == TypeKind::family;
      std::vector<std::string> units =
          family ? evaluator_.units().family_examples(evaluator_.text(type->name), type->dimension)
                 : evaluator_.units().examples(type->dimension);
      if (!units.empty()) message.note("a number with a unit: " + listed_names(units));
      break;
    }
    default: break;
  }
}

}  // namespace dtp::eval

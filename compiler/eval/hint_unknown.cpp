// A name that nothing in scope has: what is meant, and where it is declared.
#include <algorithm>

#include "base/nearest_name.h"
#include "base/other_words.h"
#include "eval/hints.h"

namespace dtp::eval {
namespace {

// "std.hardware.nvidia" -> "nvidia"
std::string_view last_word(std::string_view module) { return module.substr(module.rfind('.') + 1); }

bool same(std::string_view a, std::string_view b) {
  std::string_view known[] = {b};
  return a == b || !same_but_case(a, known).empty();
}

bool starts_name(std::string_view name, std::string_view start) {
  return start.size() >= 2 && name.size() > start.size() && name[start.size()] == '_' &&
         name.starts_with(start);
}

constexpr std::string_view kOwnNames =
    "operations, layers and optimizers have names of their own here, without a module before "
    "them: `gelu(x)`, `Linear(n)(x)`, `adamw { lr = 1e-4 }`";

// Words of Python that are no names here.
std::string_view python_word(std::string_view name) {
  if (name == "range") return "numbers from 0 to n - 1 are written `0..<n`";
  if (name == "True" || name == "False") return "the two are written `true` and `false`";
  if (name == "None" || name == "null" || name == "nil") return "what is absent is written `none`";
  if (name == "print") return "nothing is printed: a `require` or `expect` tells its numbers";
  if (name == "list" || name == "tuple" || name == "set") return "a list is written `[a, b]`";
  if (name == "dict" || name == "map")
    return "a record is written `{ name = value }`, a map `{ \"key\": value }`";
  if (name == "str" || name == "String")
    return "a value is put into a text between braces: `\"{n} steps\"`";
  if (name == "int" || name == "Int")
    return "`floor(x)`, `ceil(x)` and `round(x)` give whole numbers";
  if (name == "isinstance" || name == "type")
    return "`x is Type` asks for a type, `x is name` for a case of a choice";
  if (name == "pow") return "a power is written `x^n`";
  return {};
}

// yes and no, in any spelling but ours
std::string_view truth_word(std::string_view name) {
  std::string small;
  for (char c : name.substr(0, 8))
    small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  bool truth = small == "true" || small == "yes" || small == "on";
  bool falsehood = small == "false" || small == "no" || small == "off";
  return truth ? "write `true`" : falsehood ? "write `false`" : "";
}

// The file of a scope, and the files whose names are always in scope.
template <class Add>
void each_module(Evaluator& evaluator, const Env* env, Add add) {
  for (const Env* scope = env; scope; scope = scope->parent)
    if (scope->module) add(*scope->module);
  if (!evaluator.prelude()) return;
  for (const lang::Import& i : evaluator.prelude()->imports)
    if (i.module) add(*i.module);
}

}  // namespace

const lang::Module* Hints::module_of(Env* env) const {
  while (env && !env->module) env = env->parent;
  return env ? env->module : nullptr;
}

Hints::Names Hints::values(Env* env) const {
  Names known;
  auto add = [&](Symbol name) {
    if (!evaluator_.being_worked_out(name)) known.push_back(evaluator_.text(name));
  };
  for (Env* scope = env; scope; scope = scope->parent) {
    for (const auto& [local, value] : scope->locals) add(local);
    if (scope->body)
      for (size_t i = scope->layer + 1; i-- > 0;)
        for (const lang::Let& l : scope->record->layers[i].body->lets) add(l.name);
    if (scope->record && scope->record->shape)
      for (const Field& f : scope->record->shape->fields) add(f.name);
    if (scope->module) {
      for (const lang::DeclEntry& e : scope->module->entries)
        if (e.name) add(e.name);
      for (const lang::Import& i : scope->module->imports) add(i.name);
    }
  }
  if (evaluator_.prelude())
    for (const lang::Import& i : evaluator_.prelude()->imports)
      if (i.module)
        for (const lang::DeclEntry& e : i.module->entries)
          if (e.name) add(e.name);
  return known;
}

Hints::Names Hints::types(Env* env) const {
  Names known;
  auto add = [&](const lang::Module& module) {
    for (const lang::DeclEntry& e : module.entries)
      if (e.kind == lang::DeclKind::type || e.kind == lang::DeclKind::choice)
        known.push_back(evaluator_.text(e.name));
  };
  each_module(evaluator_, env, add);
  return known;
}

Hints::Names Hints::callables(Env* env) const {
  Names known = builtin_names();
  if (evaluator_.host())
    for (std::string_view n : evaluator_.host()->native_names()) known.push_back(n);
  auto add = [&](const lang::Module& module) {
    for (const lang::DeclEntry& e : module.entries)
      if (e.kind == lang::DeclKind::function || e.kind == lang::DeclKind::type ||
          e.kind == lang::DeclKind::model)
        known.push_back(evaluator_.text(e.name));
  };
  each_module(evaluator_, env, add);
  return known;
}

bool Hints::in_scope(Symbol name, Env* env) const {
  Names known = values(env);
  return std::find(known.begin(), known.end(), evaluator_.text(name)) != known.end();
}

void Hints::called(DiagnosticBuilder& message, std::string_view callee, Span whole,
                   const Given& arguments) const {
  if (arguments.empty()) {
    message.help(format("write `{}` without parentheses", callee), whole, std::string(callee));
    return;
  }
  std::string fields;
  for (const auto& [name, value] : arguments) {
    std::string written = text(value);
    if (!name || written.empty() || written.find('\n') != std::string::npos) {
      message.help(format("its fields are changed in braces: `{} {{ field = value }}`", callee));
      return;
    }
    fields += format("{}{} = {}", fields.empty() ? "" : ", ", evaluator_.text(name), written);
  }
  std::string amended = format("{} {{ {} }}", callee, fields);
  message.help(format("its fields are changed in braces: `{}`", amended), whole, amended);
}

void Hints::called(DiagnosticBuilder& message, Span callee, Span whole,
                   llvm::ArrayRef<EvaluatedArgument> arguments) const {
  Given given;
  for (const EvaluatedArgument& a : arguments) given.push_back({a.name, a.span});
  std::string name = text(callee);
  called(message, name.empty() ? "name" : std::string_view(name), whole, given);
}

bool Hints::means_function(Symbol name, Env* env) {
  return !same_meaning(evaluator_.text(name), callables(env)).empty();
}

bool Hints::called_value(DiagnosticBuilder& message, Symbol symbol, Env* env,
                         const lang::Expr* call) {
  std::string_view name = evaluator_.text(symbol);
  Names known = values(env);
  bool exact = std::find(known.begin(), known.end(), name) != known.end();
  if (means_function(symbol, env)) return false;
  std::string_view value = exact ? name : same_but_case(name, known);
  if (value.empty()) return false;
  // Of the name itself the headline says so.
  if (!exact)
    message.note(format("`{}` is a value, and a call needs a function, type or model", value));
  Given given;
  for (const lang::Argument& a : call->arguments) given.push_back({a.name, a.value->span});
  called(message, value, call->span, given);
  return true;
}

bool Hints::chain(DiagnosticBuilder& message, const lang::Expr* chain, Env* env, bool callable,
                  const Type* expected) {
  while (expected && expected->kind == TypeKind::optional) expected = expected->element;
  if (expected && (expected->kind == TypeKind::string || expected->kind == TypeKind::shell))
    return word(message, text(chain->span), expected, chain->span);
  const lang::Expr* root = chain;
  while (root->kind == lang::ExprKind::member) root = root->a;
  if (!is_foreign_library(evaluator_.text(root->name))) return false;
  std::string_view last = evaluator_.text(chain->name);
  if (!callable && word(message, last, expected, chain->span)) return true;
  if (callable && calling_value(message, chain, env)) return true;
  Names known = callable ? callables(env) : values(env);
  bool exact = std::find(known.begin(), known.end(), last) != known.end();
  std::string_view found = exact ? last : same_meaning(last, known);
  if (found.empty())
    message.help(std::string(kOwnNames));
  else
    message.help(format("names stand without a module here: write `{}`", found), chain->span,
                 std::string(found));
  return true;
}

// `torch.optim.AdamW(lr = 1e-4)`: a value of that name.
bool Hints::calling_value(DiagnosticBuilder& message, const lang::Expr* chain, Env* env) {
  const lang::Expr* call = evaluator_.calling();
  return call && call->a == chain && called_value(message, chain->name, env, call);
}

// `full` where no Recompute is expected.
bool Hints::case_of_a_choice(DiagnosticBuilder& message, std::string_view name, Env* env,
                             Span use) {
  auto look = [&](lang::Module* module) {
    for (lang::DeclEntry& entry : module->entries) {
      if (entry.kind != lang::DeclKind::choice) continue;
      for (const lang::Case& c : module->declaration(entry)->cases) {
        if (evaluator_.text(c.name) != name) continue;
        std::string whole = format("{}.{}", evaluator_.text(entry.name), name);
        message.help(
            format("`{}` is a case of {}: write `{}`", name, evaluator_.text(entry.name), whole),
            use, whole);
        return true;
      }
    }
    return false;
  };
  for (Env* scope = env; scope; scope = scope->parent)
    if (scope->module && look(scope->module)) return true;
  if (!evaluator_.prelude()) return false;
  return llvm::any_of(evaluator_.prelude()->imports, [&](const lang::Import& import) {
    return import.module && look(import.module);
  });
}

// The name of a file of the library, without its import: `nvidia`, `imagenet`.
bool Hints::library_file(DiagnosticBuilder& message, std::string_view name, Env* env,
                         Span use) const {
  Catalogue* catalogue = evaluator_.catalogue();
  const lang::Module* here = module_of(env);
  if (!catalogue || !here) return false;
  std::string imports;
  for (const LibraryFile& file : catalogue->library()) {
    if (file.in_scope || !same(name, last_word(file.name))) continue;
    for (const lang::Import& import : here->imports) {
      if (!import.module || import.module->name != file.name) continue;
      std::string called(evaluator_.text(import.name));
      message.help(format("here {} is called `{}`", file.name, called), use, called);
      return true;
    }
    imports += format("{}`import {}`", imports.empty() ? "" : " or ", file.name);
  }
  if (!imports.empty())
    message.help(
        format("a file of the library is called so: write {} at the "
               "top of this file",
               imports));
  return !imports.empty();
}

// A name that a file of the library has: with its file's name before it, and its import where that
// is missing. `whole_word`: only this very name, whatever its case; else also those that begin so.
bool Hints::library_name(DiagnosticBuilder& message, std::string_view name, Env* env, Span use,
                         const Type* expected, bool whole_word) {
  Catalogue* catalogue = evaluator_.catalogue();
  if (!catalogue) return false;
  while (expected && expected->kind == TypeKind::optional) expected = expected->element;
  std::string_view type = expected && expected->kind == TypeKind::record
                              ? evaluator_.text(expected->shape->name)
                              : std::string_view();
  const lang::Module* here = module_of(env);
  auto import_of = [&](const LibraryFile& file) -> const lang::Import* {
    if (!here) return nullptr;
    for (const lang::Import& import : here->imports)
      if (import.module && import.module->name == file.name) return &import;
    return nullptr;
  };
  std::vector<std::string> paths;
  std::string imports;
  for (const LibraryFile& file : catalogue->library()) {
    if (file.in_scope) continue;
    const lang::Import* import = import_of(file);
    bool taken = false;
    for (const LibraryName& n : file.names) {
      bool fits = type.empty() || n.type == type;
      if (!fits || paths.size() == 6) continue;
      if (whole_word ? !same(name, n.name) : !starts_name(n.name, name)) continue;
      paths.push_back(
          format("{}.{}", import ? evaluator_.text(import->name) : last_word(file.name), n.name));
      taken = true;
    }
    if (taken && !import)
      imports += format("{}`import {}`", imports.empty() ? "" : " or ", file.name);
  }
  if (paths.empty()) return false;
  std::string list;
  for (const std::string& p : paths) list += format("{}`{}`", list.empty() ? "" : " or ", p);
  if (paths.size() == 1)
    message.help("write " + list, use, paths[0]);
  else
    message.help(format("did you mean {}?", list));
  if (!imports.empty() && here) message.help("at the top of the file: " + imports);
  return true;
}

// `tokens_per_second`, `mfu`: a result of the plan, or a field of one of its records.
bool Hints::result_name(DiagnosticBuilder& message, std::string_view name, Env* env, Span use) {
  for (Env* scope = env; scope; scope = scope->parent)
    if (scope->record && scope->record->shape && scope->record->shape->name == sym::Plan)
      return inner_field(message, scope->record->shape, name, use, lang::Stage::estimated) ||
             inner_field(message, scope->record->shape, name, use, lang::Stage::derived);
  return false;
}

// `layer` for the author's own `layers`, or the other way: likelier meant than a name of the
// library that has the same letters in another case, `llama.Layer`.
bool Hints::own_plural(DiagnosticBuilder& message, std::string_view name, Env* env, Span use) {
  const lang::Module* here = module_of(env);
  for (std::string_view known : values(env)) {
    bool plural = known.size() == name.size() + 1 && known.starts_with(name) && known.back() == 's';
    bool single = name.size() == known.size() + 1 && name.starts_with(known) && name.back() == 's';
    if (!plural && !single) continue;
    bool of_file = false;
    if (here)
      for (const lang::DeclEntry& e : here->entries)
        of_file = of_file || (e.name && evaluator_.text(e.name) == known);
    for (Env* scope = env; scope && !of_file; scope = scope->parent)
      for (const auto& [local, value] : scope->locals)
        of_file = of_file || evaluator_.text(local) == known;
    if (!of_file) continue;
    message.help(format("did you mean `{}`?", known), use, std::string(known));
    return true;
  }
  return false;
}

// `Dropout(0.1)(q)`, `GELU()(x)`: layers of PyTorch that own nothing are operations here.
bool Hints::torch_layer(DiagnosticBuilder& message, std::string_view name, Span use) {
  if (name.empty() || name[0] < 'A' || name[0] > 'Z' || !evaluator_.host()) return false;
  Names operations;
  for (std::string_view n : evaluator_.host()->native_names())
    if (n[0] >= 'a' && n[0] <= 'z') operations.push_back(n);
  std::string_view found = same_but_case(name, operations);
  if (found.empty()) return false;
  // `GELU(x)`: the name alone is the mistake.
  const lang::Expr* call = evaluator_.calling();
  bool here = call && call->a && call->a->span.begin == use.begin;
  if (!here || text({call->span.file, call->span.end, call->span.end + 1}) != "(") return false;
  std::string arguments;
  for (const lang::Argument& a : call->arguments) {
    std::string written = text(a.value->span);
    if (a.name) written = format("{} = {}", evaluator_.text(a.name), written);
    arguments += ", " + written;
  }
  message.help(
      format("`{0}` is an operation, and its tensor comes first: `{0}(x{1})`", found, arguments));
  return true;
}

void Hints::unknown(DiagnosticBuilder& message, Symbol symbol, Env* env, bool callable, Span use,
                    const Type* expected) {
  std::string_view name = evaluator_.text(symbol);
  if (std::string_view advice = python_word(name); !advice.empty()) {
    message.help(std::string(advice));
    return;
  }
  if (name == "unknown") {
    message.help("what exists and nobody said is written `unknown(\"why\")`");
    return;
  }
  bool case_called = callable && expected && expected->kind == TypeKind::choice;
  if ((!callable || case_called) && word(message, name, expected, use)) return;
  if (std::string_view advice = truth_word(name); !advice.empty() && !callable) {
    message.help(std::string(advice));
    return;
  }
  const Type* plain = expected;
  while (plain && plain->kind == TypeKind::optional) plain = plain->element;
  if (is_foreign_library(name)) {
    if (plain && plain->kind == TypeKind::record) return list_makers(message, plain->shape);
    message.help(std::string(kOwnNames));
    return;
  }
  if (!callable && joined_path(message, name, env, use)) return;
  if (!callable && field_of_a_local(message, evaluator_.names().intern(name), env, use)) return;
  if (plain && plain->kind == TypeKind::model && !callable &&
      evaluator_.native(evaluator_.names().intern(name)))
    return not_a_model(message, name);
  // `launch = slurm { ... }`: a case of one of its fields.
  if (plain && plain->kind == TypeKind::record &&
      inner_field(message, plain->shape, name, use, lang::Stage::given))
    return;
  if (evaluator_.units().find(name)) {
    message.help(format("`{0}` is a unit: units stand after a number, as in `1 {0}`", name));
    return;
  }
  if (!callable && case_of_a_choice(message, name, env, use)) return;
  if (!callable && library_file(message, name, env, use)) return;
  Names known = callable ? callables(env) : values(env);
  // Where a value is expected, a type is seldom meant.
  Names type_names = callable ? Names() : types(env);
  std::erase_if(known, [&](std::string_view n) {
    return std::find(type_names.begin(), type_names.end(), n) != type_names.end();
  });
  if (!callable && own_plural(message, name, env, use)) return;
  if (library_name(message, name, env, use, expected, true)) return;
  if (!callable && same_meaning(name, known).empty() && result_name(message, name, env, use))
    return;
  if (callable && torch_layer(message, name, use)) return;
  if (near(message, name, use, known)) return;
  if (library_name(message, name, env, use, expected, false)) return;
  if (!callable) {
    while (expected && expected->kind == TypeKind::optional) expected = expected->element;
    bool listed =
        expected && (expected->kind == TypeKind::record || expected->kind == TypeKind::model);
    if (!listed && near(message, name, use, type_names)) return;
    if (expected && expected->kind == TypeKind::record) list_makers(message, expected->shape);
    if (expected && expected->kind == TypeKind::model) list_library(message, "Model");
    return;
  }
  if (name.empty() || name[0] < 'A' || name[0] > 'Z' || !evaluator_.host()) return;
  std::string layers;
  for (std::string_view n : evaluator_.host()->native_names())
    if (n[0] >= 'A' && n[0] <= 'Z') layers += (layers.empty() ? "" : ", ") + std::string(n);
  if (!layers.empty()) message.note("layers: " + layers + "; your own are written `model`");
}

}  // namespace dtp::eval

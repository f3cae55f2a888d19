// A value of another type than its place takes: what would be one.
#include <algorithm>
#include <cctype>

#include "base/nearest_name.h"
#include "base/other_words.h"
#include "eval/hints.h"
#include "lang/not_estimated.h"

namespace dtp::eval {
namespace {

const Type* without_optional(const Type* type) {
  while (type && type->kind == TypeKind::optional) type = type->element;
  return type;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == 'e' ||
           c == '-';
  }) && std::isdigit(static_cast<unsigned char>(text[0]));
}

std::string_view like(std::string_view word, const Hints::Names& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  std::string_view found = same_meaning(word, known);
  return found.empty() ? nearest_name(word, known) : found;
}

// The file's values of that type. Of models, those with their parameters are meant first.
Hints::Names values_of(const LibraryFile& file, std::string_view type) {
  Hints::Names values;
  Hints::Names models;
  for (const LibraryName& n : file.names)
    if (n.type == type) (n.is_value ? values : models).push_back(n.name);
  return values.empty() ? models : values;
}

bool needed(const lang::Parameter& p) { return !p.fallback && !(p.type && p.type->optional); }

}  // namespace

std::string Hints::cases(const Shape* choice) const {
  std::string out;
  for (const Shape* c : choice->cases)
    out += format("{}`{}`", out.empty() ? "" : ", ", case_text(c));
  return out;
}

// "selective(operations)": with what must be said of it.
std::string Hints::case_text(const Shape* one) const {
  std::string arguments;
  for (const Field& f : one->fields) {
    bool own = std::none_of(one->decl->fields.begin(), one->decl->fields.end(),
                            [&](const lang::TypeField& common) { return common.name == f.name; });
    if (!own || f.fallback) continue;
    arguments += (arguments.empty() ? "" : ", ") + std::string(evaluator_.text(f.name));
  }
  std::string name(evaluator_.text(one->name));
  return arguments.empty() ? name : format("{}({})", name, arguments);
}

std::string Hints::called_as(const Shape* shape) const {
  std::string fields;
  for (const Field& f : shape->fields) {
    bool own = shape->kind != ShapeKind::case_ ||
               std::none_of(shape->decl->fields.begin(), shape->decl->fields.end(),
                            [&](const lang::TypeField& common) { return common.name == f.name; });
    if (own && f.stage == lang::Stage::given)
      fields += (fields.empty() ? "" : ", ") + std::string(evaluator_.text(f.name));
  }
  return format("called as `{}({})`", evaluator_.text(shape->name), fields);
}

std::vector<Hints::Maker> Hints::makers(const Shape* type) {
  std::vector<Maker> found;
  if (!evaluator_.prelude()) return found;
  NullSink quiet;
  DiagnosticSink* before = evaluator_.swap_sink(&quiet);
  for (const lang::Import& import : evaluator_.prelude()->imports) {
    if (!import.module) continue;
    Env* env = evaluator_.module_env(import.module);
    for (lang::DeclEntry& entry : import.module->entries) {
      std::string_view name = evaluator_.text(entry.name);
      if (entry.kind == lang::DeclKind::let) {
        Value v = evaluator_.declared(import.module, entry);
        if (v.is(ValueKind::record) && v.record->shape && v.record->shape->is_a(type))
          found.push_back({name, nullptr, env});
      } else if (entry.kind == lang::DeclKind::function) {
        const lang::Function* f = import.module->declaration(entry)->function;
        const Type* result = f->result ? evaluator_.type(f->result, env) : nullptr;
        if (result && result->kind == TypeKind::record && result->shape->is_a(type))
          found.push_back({name, f, env});
      }
    }
  }
  evaluator_.swap_sink(before);
  return found;
}

// `gpus(1, X)` for the argument X of its second parameter: whole numbers start at their least.
std::string Hints::call_text(const Maker& maker, size_t parameter, std::string_view argument) {
  std::string out = std::string(maker.name) + "(";
  const auto& parameters = maker.function->parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (i != parameter && !needed(parameters[i])) break;
    if (i > 0) out += ", ";
    const Type* type =
        parameters[i].type ? evaluator_.type(parameters[i].type, maker.env) : nullptr;
    if (i == parameter)
      out += argument;
    else if (type && type->kind == TypeKind::integer && type->lo)
      out += evaluator_.print(evaluator_.make_number(*type->lo));
    else
      out += evaluator_.text(parameters[i].name);
  }
  return out + ")";
}

// "adamw", "bf16": the name of such a value, or a case that a function makes one of.
bool Hints::made_from_word(DiagnosticBuilder& message, std::string_view word, const Shape* type,
                           Span at) {
  std::vector<Maker> all = makers(type);
  Names names;
  for (const Maker& maker : all) names.push_back(maker.name);
  bool quoted = std::find(names.begin(), names.end(), word) != names.end();
  std::string_view exact = quoted ? word : same_but_case(word, names);
  for (const Maker& maker : all) {
    if (!maker.function || !exact.empty()) continue;
    for (size_t i = 0; i < maker.function->parameters.size(); ++i) {
      const lang::Parameter& p = maker.function->parameters[i];
      const Type* t = p.type ? evaluator_.type(p.type, maker.env) : nullptr;
      if (!t || t->kind != TypeKind::choice) continue;
      Names cases;
      for (const Shape* c : t->shape->cases) cases.push_back(evaluator_.text(c->name));
      bool is_case = std::find(cases.begin(), cases.end(), word) != cases.end();
      std::string_view found = is_case ? word : same_meaning(word, cases);
      if (found.empty()) continue;
      std::string call = call_text(maker, i, found);
      message.help(format("write `{}`", call), at, call);
      return true;
    }
  }
  std::string_view found = exact.empty() ? same_meaning(word, names) : exact;
  if (found.empty()) found = nearest_name(word, names);
  if (found.empty()) return false;
  message.help(
      quoted ? format("write `{}` without quotes", found) : format("did you mean `{}`?", found), at,
      std::string(found));
  return true;
}

// A GPU where Hardware is wanted: gpus(1, nvidia.T4).
bool Hints::made_from_record(DiagnosticBuilder& message, const Value& value, const Shape* type,
                             Span at) {
  if (!value.is(ValueKind::record) || !value.record->shape) return false;
  for (const Maker& maker : makers(type)) {
    if (!maker.function) continue;
    for (size_t i = 0; i < maker.function->parameters.size(); ++i) {
      const lang::Parameter& p = maker.function->parameters[i];
      const Type* t = p.type ? evaluator_.type(p.type, maker.env) : nullptr;
      if (!t || t->kind != TypeKind::record || !value.record->shape->is_a(t->shape)) continue;
      std::string argument = text(at);
      if (argument.empty() || argument.size() > 60) argument = evaluator_.text(p.name);
      std::string call = call_text(maker, i, argument);
      message.help(format("write `{}`", call), at, call);
      return true;
    }
  }
  return false;
}

// A list where a record is wanted that begins with one: Tensor([16]).
bool Hints::made_from_list(DiagnosticBuilder& message, const Value& value, const Shape* type,
                           Span at) {
  if (!value.is(ValueKind::list) || type->fields.empty()) return false;
  const Field& first = type->fields[0];
  const Type* t = first.type ? evaluator_.type(first.type, first.env) : nullptr;
  std::string written = text(at);
  if (!t || t->kind != TypeKind::list || written.empty() || written.size() > 60) return false;
  std::string call = format("{}({})", evaluator_.text(type->name), written);
  message.help(format("write `{}`", call), at, call);
  return true;
}

void Hints::list_makers(DiagnosticBuilder& message, const Shape* type) {
  std::string list;
  for (const Maker& maker : makers(type)) {
    list += (list.empty() ? "`" : ", `") + std::string(maker.name);
    if (maker.function) {
      list += '(';
      for (const lang::Parameter& p : maker.function->parameters)
        if (needed(p))
          list += (list.back() == '(' ? "" : ", ") + std::string(evaluator_.text(p.name));
      list += ')';
    }
    list += '`';
  }
  if (list.empty()) return list_library(message, evaluator_.text(type->name));
  message.note(format("{} is one of {}, or of your own", evaluator_.text(type->name), list));
}

// Where the library declares such values: "std.hardware.nvidia (`nvidia.T4`, ...)".
void Hints::list_library(DiagnosticBuilder& message, std::string_view wanted) const {
  Catalogue* catalogue = evaluator_.catalogue();
  if (!catalogue) return;
  std::string list;
  for (const LibraryFile& file : catalogue->library()) {
    std::string first;
    size_t count = 0;
    if (file.in_scope) continue;
    for (std::string_view name : values_of(file, wanted)) {
      if (first.empty()) first = name;
      ++count;
    }
    if (count == 0) continue;
    list += list.empty() ? "" : ", ";
    list += format("{} (`{}.{}`{})", file.name, file.name.substr(file.name.rfind('.') + 1), first,
                   count > 1 ? ", ..." : "");
  }
  if (!list.empty()) message.note(format("the library has such in {}", list));
}

// `data = imagenet`: a file where one of its values is meant.
bool Hints::module_members(DiagnosticBuilder& message, const Value& value, const Type* type,
                           Span at) {
  if (!value.is(ValueKind::module)) return false;
  Catalogue* catalogue = evaluator_.catalogue();
  if (!catalogue) return false;
  std::string_view wanted =
      type->kind == TypeKind::model ? "Model" : evaluator_.text(type->shape->name);
  std::string list;
  size_t count = 0;
  std::string name = text(at);
  for (const LibraryFile& file : catalogue->library()) {
    if (file.name != value.module->name) continue;
    for (std::string_view one : values_of(file, wanted))
      if (++count <= 6) list += format("{}`{}.{}`", list.empty() ? "" : ", ", name, one);
  }
  if (list.empty()) return false;
  message.help(format("name a value of the file: {}{}", list, count > 6 ? ", ..." : ""));
  return true;
}

bool Hints::word(DiagnosticBuilder& message, std::string_view word, const Type* type, Span at) {
  type = without_optional(type);
  if (!type) return false;
  if (type->kind == TypeKind::string || type->kind == TypeKind::shell) {
    message.help(format("a text stands in double quotes: `\"{}\"`", word), at,
                 format("\"{}\"", word));
    return true;
  }
  if (type->kind == TypeKind::record) return made_from_word(message, word, type->shape, at);
  if (type->kind != TypeKind::choice) return false;
  Names names;
  for (const Shape* c : type->shape->cases) names.push_back(evaluator_.text(c->name));
  std::string_view found = like(word, names);
  for (const Shape* c : type->shape->cases) {
    if (found.empty() || evaluator_.text(c->name) != found) continue;
    std::string whole = case_text(c);
    if (whole == found)
      message.help(format("write `{}`", found), at, std::string(found));
    else
      message.help(format("write `{}`", whole));
  }
  message.note(format("{} is one of {}{}", evaluator_.text(type->shape->name), cases(type->shape),
                      not_estimated_of(type->shape)));
  return true;
}

// "; `selective`, `every` are not estimated in this version": what is proposed must not be refused
// next.
std::string Hints::not_estimated_of(const Shape* choice) const {
  std::string list;
  size_t count = 0;
  for (const Shape* c : choice->cases) {
    std::string_view name = evaluator_.text(c->name);
    const auto* row = lang::not_estimated(evaluator_.text(choice->name), name);
    if (!row || !row->when.empty()) continue;
    list += format("{}`{}`", list.empty() ? "; " : ", ", name);
    ++count;
  }
  if (count > 0) list += format(" {} not estimated in this version", count == 1 ? "is" : "are");
  return list;
}

void Hints::record_wanted(DiagnosticBuilder& message, const Value& value, const Type* type,
                          Span at) {
  if (module_members(message, value, type, at)) return;
  if (made_from_record(message, value, type->shape, at)) return;
  if (made_from_list(message, value, type->shape, at)) return;
  if (value.is(ValueKind::record)) takers(message, value.record);
  if (value.is(ValueKind::string)) {
    if (made_from_word(message, value.string(), type->shape, at)) return;
    if (library_name(message, value.string(), nullptr, at, type, false)) return;
  }
  list_makers(message, type->shape);
}

void Hints::no_number(DiagnosticBuilder& message, lang::Op op, const Value& wrong,
                      const Value& other) {
  if (!evaluator_.may_propose()) return;
  bool text = wrong.is(ValueKind::string) || other.is(ValueKind::string);
  if (wrong.is(ValueKind::none)) {
    message.help("what may be absent is given a stand-in: `(x ?? 0)`, or asked for: `x is none`");
  } else if (op == lang::Op::add && (wrong.is(ValueKind::list) || other.is(ValueKind::list))) {
    message.help("one element more is a list of one: `list + [x]`");
  } else if ((op == lang::Op::add || op == lang::Op::modulo) && text) {
    message.help("a value is put into a text between braces: `\"{n} steps\"`");
  } else if (op == lang::Op::multiply && wrong.is(ValueKind::record) &&
             other.is(ValueKind::number) && other.number->whole()) {
    takers(message, wrong.record);
  } else if (wrong.is(ValueKind::record) && wrong.record->shape &&
             wrong.record->shape->kind == ShapeKind::record) {
    // `memory < 80 GiB`: one of its numbers is meant.
    std::string list = numbers_of(wrong.record->shape, &other);
    if (list.empty()) list = numbers_of(wrong.record->shape, nullptr);
    if (!list.empty()) message.help("name one of its numbers: " + list);
  }
}

// "`.peak`, `.parameters`": the fields that are numbers, of the dimension of `like` where given.
std::string Hints::numbers_of(const Shape* shape, const Value* like) {
  std::string list;
  size_t count = 0;
  for (const Field& f : shape->fields) {
    const Type* t = f.type ? evaluator_.type(f.type, f.env) : nullptr;
    bool number = t && (t->kind == TypeKind::integer || t->kind == TypeKind::real ||
                        t->kind == TypeKind::quantity || t->kind == TypeKind::family);
    bool fits = number && (!like || !like->is(ValueKind::number) || t->kind == TypeKind::family ||
                           t->dimension == like->number->dimension);
    if (!fits || ++count > 12) continue;
    list += format("{}`.{}`", list.empty() ? "" : ", ", evaluator_.text(f.name));
  }
  return count > 12 ? list + ", ..." : list;
}

void Hints::mismatch(DiagnosticBuilder& message, const Value& value, const Type* type, Span at) {
  if (!evaluator_.may_propose()) return;
  if (value.is(ValueKind::none)) return none_given(message, at);
  if (value.is(ValueKind::function) && !value.closure->function->parameters.empty() &&
      type->kind != TypeKind::model) {
    std::string parameters;
    for (const lang::Parameter& p : value.closure->function->parameters)
      parameters += (parameters.empty() ? "" : ", ") + std::string(evaluator_.text(p.name));
    message.help(format("what it gives is `{}({})`", evaluator_.print(value), parameters));
    return;
  }
  switch (type->kind) {
    case TypeKind::quantity:
    case TypeKind::family:
      if (value.is(ValueKind::string))
        message.help("a quantity is a number and a unit without quotes: `400_000 steps`, `80 GiB`");
      return units_of(message, type, value);
    case TypeKind::choice:
      // `recompute = true`: the case that other tools switch on so.
      if (value.is(ValueKind::string) || value.is(ValueKind::boolean)) {
        word(message, value.is(ValueKind::string) ? value.string() : std::string_view(text(at)),
             type, at);
      } else {
        message.note(
            format("{} is one of {}", evaluator_.text(type->shape->name), cases(type->shape)));
      }
      return;
    case TypeKind::record: return record_wanted(message, value, type, at);
    case TypeKind::model:
      if (value.is(ValueKind::native)) return not_a_model(message, value.native->name());
      // `model = cfg`, an imported config.json; `model = "config.json"`
      if (value.is(ValueKind::record) && !value.record->shape && text(at).size() < 40) {
        message.help(format("the model of an imported config.json is `hf_model({})`", text(at)), at,
                     format("hf_model({})", text(at)));
        return;
      }
      if (value.is(ValueKind::string) && value.string().ends_with(".json")) {
        message.help(
            format("import the file at the top of this one, `import \"{}\" as cfg`, and "
                   "write `hf_model(cfg)`",
                   value.string()));
        return;
      }
      if (!module_members(message, value, type, at)) list_library(message, "Model");
      return;
    case TypeKind::map:
      // hf_model("config.json")
      if (value.is(ValueKind::string) && value.string().ends_with(".json"))
        message.help(
            format("a file is imported at the top of this one, `import \"{}\" as cfg`, and "
                   "read as `cfg`",
                   value.string()));
      else
        message.help("a map is written `{ \"key\": value, ... }`");
      return;
    case TypeKind::list: {
      std::string one = text(at);
      bool word = !one.empty() && one.size() <= 40 && one.find('\n') == std::string::npos;
      message.help(format("a list is written `[{}]`", word ? one : "a, b"));
      return;
    }
    case TypeKind::date: {
      std::string written = text(at);
      bool digits = written.size() == 10 && written[4] == '-' && written[7] == '-';
      message.help(format("a date is a text: `\"{}\"`", digits ? written : "2026-11-30"));
      return;
    }
    case TypeKind::string:
      if (value.is(ValueKind::number) && !text(at).empty())
        message.help(format("a text stands in double quotes: `\"{}\"`", text(at)), at,
                     format("\"{}\"", text(at)));
      return;
    case TypeKind::boolean: message.help("write `true` or `false`"); return;
    case TypeKind::integer:
    case TypeKind::real: break;
    default: return;
  }
  if (value.is(ValueKind::string) && is_number(value.string()))
    message.help(format("a number stands without quotes: `{}`", value.string()), at,
                 std::string(value.string()));
  if (value.is(ValueKind::record)) return takers(message, value.record);
  if (value.is(ValueKind::number)) without_unit(message, at);
}

// A type without `?` takes no `none`.
void Hints::none_given(DiagnosticBuilder& message, Span at) const {
  if (text(at) == "none")
    message.note("a type that takes `none` is written with `?`, such as `Int?`");
  else
    message.help("`x ?? y` gives a value where there is none");
}

// `global = 64 samples`, `parameters = 8B`
void Hints::without_unit(DiagnosticBuilder& message, Span at) const {
  std::string written = text(at);
  size_t end = written.find_first_not_of("0123456789_.");
  if (end == 0 || end == std::string::npos) return;
  std::string number = written.substr(0, end);
  std::string unit = written.substr(written.find_first_not_of(' ', end));
  if (unit == "B")
    message.help("`B` after a number means bytes; a count of billions is written `8e9`");
  else
    message.help(format("here the number stands without a unit: `{}`", number), at, number);
}

// A function of the prelude that takes such a record: `gpus(n, card)` for a GPU.
void Hints::takers(DiagnosticBuilder& message, const Record* record) {
  if (!evaluator_.prelude() || !record->shape) return;
  for (const lang::Import& import : evaluator_.prelude()->imports) {
    if (!import.module) continue;
    Env* env = evaluator_.module_env(import.module);
    for (lang::DeclEntry& entry : import.module->entries) {
      if (entry.kind != lang::DeclKind::function) continue;
      const lang::Function* f = import.module->declaration(entry)->function;
      std::string signature;
      bool takes = false;
      for (const lang::Parameter& p : f->parameters) {
        const Type* t = p.type ? evaluator_.type(p.type, env) : nullptr;
        takes = takes || (t && t->kind == TypeKind::record && record->shape->is_a(t->shape));
        signature += (signature.empty() ? "" : ", ") + std::string(evaluator_.text(p.name));
      }
      if (!takes) continue;
      message.help(format("a {} is given to `{}({})`", evaluator_.text(record->shape->name),
                          evaluator_.text(entry.name), signature));
      return;
    }
  }
}

}  // namespace dtp::eval

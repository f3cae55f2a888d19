// A name among known ones: the nearest, one that other tools use, or the list.
#include <algorithm>

#include "base/nearest_name.h"
#include "base/other_words.h"
#include "eval/hints.h"
#include "lang/not_estimated.h"

namespace dtp::eval {
namespace {

constexpr size_t kMostListed = 40;
constexpr size_t kMostProposed = 6;

// `A100` begins `A100_SXM_80GB`: a whole word of it, in any case.
bool begins(std::string_view text, std::string_view start) {
  if (text.size() <= start.size() || start.empty() || text[start.size()] != '_') return false;
  auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(start.begin(), start.end(), text.begin(),
                    [&](char a, char b) { return small(a) == small(b); });
}

// `DiT_XL_2` ends in `XL_2`.
bool ends(std::string_view wanted, std::string_view name) {
  return name.size() >= 2 && wanted.size() > name.size() + 1 && wanted.ends_with(name) &&
         wanted[wanted.size() - name.size() - 1] == '_';
}

std::string_view first_word(std::string_view name) { return name.substr(0, name.find('_')); }

// `H100_SXM_80GB` begins with the whole name `H100_SXM`; `g6e_48xl` is the start of one name alone.
std::string_view shares_start(std::string_view wanted, const Hints::Names& known) {
  std::string_view longest, completed;
  size_t completions = 0;
  for (std::string_view name : known) {
    if (begins(wanted, name) && name.size() > longest.size()) longest = name;
    bool numbered = wanted.find_first_of("0123456789") != std::string_view::npos;
    if (numbered && wanted.size() >= 3 && name.starts_with(wanted) && ++completions == 1)
      completed = name;
  }
  return !longest.empty() ? longest : completions == 1 ? completed : std::string_view();
}

// What has a number in its first word is another thing with another number there: of an H100 only
// H100s are proposed, where there are any.
Hints::Names of_the_same_kind(std::string_view wanted, const Hints::Names& known) {
  Hints::Names same;
  std::string_view word = first_word(wanted);
  if (word.size() == wanted.size() || word.find_first_of("0123456789") == std::string_view::npos)
    return known;
  for (std::string_view name : known) {
    std::string_view other[] = {first_word(name)};
    if (word == other[0] || !same_but_case(word, other).empty()) same.push_back(name);
  }
  return same.empty() ? known : same;
}

std::string listed(const Hints::Names& names, std::string_view last) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? last : ", ";
    out += "`" + std::string(names[i]) + "`";
  }
  return out;
}

}  // namespace

bool Hints::near(DiagnosticBuilder& message, std::string_view wanted, Span at, const Names& known) {
  Names starts;
  for (std::string_view name : known)
    if (begins(name, wanted) && starts.size() < kMostProposed) starts.push_back(name);
  if (starts.size() > 1) {
    message.help(format("did you mean {}?", listed(starts, " or ")));
    return true;
  }
  std::string_view found = starts.empty() ? same_meaning(wanted, known) : starts[0];
  for (std::string_view name : known)
    if (found.empty() && ends(wanted, name)) found = name;
  // A slip of the fingers, where only one name can be meant.
  bool certain = false;
  if (found.empty()) found = shares_start(wanted, known);
  if (found.empty()) {
    Names kind = of_the_same_kind(wanted, known);
    NearName nearest = near_name(wanted, kind);
    found = nearest.name;
    certain = nearest.only;
    if (found.empty() && kind.size() < known.size()) {
      kind.resize(std::min(kind.size(), kMostProposed));
      message.help(format("did you mean {}?", listed(kind, " or ")));
      return true;
    }
  }
  if (found.empty() || found == wanted) return false;
  message.help(format("did you mean `{}`?", found), at, std::string(found), certain);
  return true;
}

void Hints::member(DiagnosticBuilder& message, std::string_view wanted, Span at, const Names& known,
                   std::string_view owner) {
  if (!evaluator_.may_propose()) return;
  if (near(message, wanted, at, known) || known.empty() || known.size() > kMostListed) return;
  std::string list;
  for (std::string_view name : known) list += (list.empty() ? "" : ", ") + std::string(name);
  message.note(format("{} has {}", owner, list));
}

Hints::Names Hints::fields_of(const Shape* shape) const {
  Names known;
  for (const Field& f : shape->fields)
    if (f.stage == lang::Stage::given) known.push_back(evaluator_.text(f.name));
  return known;
}

// `lr` of a plan: its optimizer has that field. `fused` of an optimizer is a case of its `step`.
bool Hints::inner_field(DiagnosticBuilder& message, const Shape* shape, std::string_view word,
                        Span at, lang::Stage stage) {
  bool setting = stage == lang::Stage::given;
  for (const Field& f : shape->fields) {
    if (!f.type || f.stage != stage) continue;
    const Type* type = evaluator_.type(f.type, f.env);
    while (type && type->kind == TypeKind::optional) type = type->element;
    if (!type || (type->kind != TypeKind::record && type->kind != TypeKind::choice)) continue;
    std::string_view outer = evaluator_.text(f.name);
    Names inner;
    if (type->kind == TypeKind::choice) {
      for (const Shape* c : type->shape->cases) {
        if (evaluator_.text(c->name) != word || !setting) continue;
        message.help(format("`{0}` is a case of `{1}`: write `{1} = {0}`", word, outer));
        return true;
      }
      for (const lang::TypeField& common : type->shape->decl->fields)
        inner.push_back(evaluator_.text(common.name));
    }
    for (const Field& i : type->shape->fields) inner.push_back(evaluator_.text(i.name));
    bool exact = std::find(inner.begin(), inner.end(), word) != inner.end();
    std::string_view found = exact ? word : same_meaning(word, inner);
    if (found.empty() || found == "name") continue;
    std::string path = format("{}.{}", outer, found);
    message.help(!setting ? format("did you mean `{}`?", path)
                          : format("`{}` is a field of `{}`: write `{} = ...`", found, outer, path),
                 at, path);
    if (setting) tell_not_estimated(message, type->shape, found);
    return true;
  }
  return false;
}

// A field that is proposed, and that the plan would be refused for.
void Hints::tell_not_estimated(DiagnosticBuilder& message, const Shape* shape,
                               std::string_view field) const {
  const Shape* owner = shape;
  while (owner->parent && !lang::not_estimated(evaluator_.text(owner->name), field))
    owner = owner->parent;
  const lang::NotEstimated* row = lang::not_estimated(evaluator_.text(owner->name), field);
  if (row)
    message.note(format("`{}`{}{} is read, but not estimated in this version", field,
                        row->when.empty() ? "" : " ", row->when));
}

void Hints::field(DiagnosticBuilder& message, const Record* record, Symbol wanted, Span at) {
  if (!evaluator_.may_propose()) return;
  std::string_view word = evaluator_.text(wanted);
  Names known = fields_of(record->shape);
  if (same_meaning(word, known).empty() &&
      inner_field(message, record->shape, word, at, lang::Stage::given))
    return;
  if (field_of_the_plan(message, word, record->shape)) return;
  member(message, word, at, known, evaluator_.text(record->shape->name));
  if (std::string_view found = message.proposed(); !found.empty())
    tell_not_estimated(message, record->shape, found);
}

// `nproc_per_node` of a launch: what the plan says already.
bool Hints::field_of_the_plan(DiagnosticBuilder& message, std::string_view word,
                              const Shape* shape) {
  bool other = shape->kind != ShapeKind::record && shape->kind != ShapeKind::case_;
  if (other || shape->name == sym::Plan || evaluator_.is_users(shape->span)) return false;
  Names own = fields_of(shape);
  if (!same_meaning(word, own).empty() || !nearest_name(word, own).empty()) return false;
  auto plan = evaluator_.find(sym::Plan, nullptr, false, {}, nullptr);
  if (!plan || !plan->is(ValueKind::shape)) return false;
  Names all = fields_of(plan->shape);
  std::string_view found = same_meaning(word, all);
  if (found.empty()) return false;
  message.help(format("that follows from the plan's `{}`: leave it out here", found));
  return true;
}

// `precision = mixed`, `optimizer = adamw`: a value of the library that leaves something to be
// said.
void Hints::unfinished(DiagnosticBuilder& message, const Record* record, Span taken,
                       const Names& fields) const {
  std::string written = text(taken);
  size_t at = written.find_first_not_of(' ', written.find('=') + 1);
  if (at == std::string::npos) return;
  std::string name = written.substr(at);
  constexpr std::string_view kPath =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  if (name.find_first_not_of(kPath) != std::string::npos) return;
  std::string said;
  for (std::string_view f : fields) said += format("{}{} = ...", said.empty() ? "" : ", ", f);
  message.help(format("say it in braces: `{} {{ {} }}`", name, said));
  for (const lang::NotEstimated& row : lang::not_estimated())
    if (evaluator_.text(record->shape->name) == row.type &&
        evaluator_.definition(record, evaluator_.names().intern(row.member)))
      tell_not_estimated(message, record->shape, row.member);
}

void Hints::hidden(DiagnosticBuilder& message, const Record* record, Symbol name) const {
  for (const Layer& layer : record->layers) {
    Env* env = layer.env;
    while (env && !env->module) env = env->parent;
    const lang::DeclEntry* entry = env ? env->module->entry(name) : nullptr;
    if (!entry || entry->kind != lang::DeclKind::let || env->module->is_library) continue;
    message.note(format("inside the braces, `{}` is this record's own field, not the `let` of the "
                        "file: give the `let` another name",
                        evaluator_.text(name)),
                 entry->name_span);
    return;
  }
}

bool Hints::misspelled(const Record* record, Symbol name) const {
  Names known = fields_of(record->shape);
  size_t looked_at = 0;
  for (const Layer& layer : record->layers)
    for (const lang::FieldDef& f : layer.body->fields) {
      if (record->shape->field(f.name)) continue;
      if (++looked_at > kMostListed) return false;
      std::string_view word = evaluator_.text(f.name);
      std::string_view found = same_meaning(word, known);
      if (found.empty()) found = nearest_name(word, known);
      if (found == evaluator_.text(name)) return true;
    }
  return false;
}

std::string Hints::text(Span span) const {
  Catalogue* catalogue = evaluator_.catalogue();
  constexpr uint32_t kLongest = 200;
  bool short_enough = span.valid() && span.end - span.begin <= kLongest;
  return catalogue && short_enough ? std::string(catalogue->text(span)) : std::string();
}

}  // namespace dtp::eval

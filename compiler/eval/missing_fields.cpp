// What a record should say and does not.
#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"

namespace dtp::eval {

// Where the author's text takes the record: `optimizer = adamw`, which is made in the library.
Span Evaluator::taken_at(const Record* record) const {
  for (const Record* r = record; r->owner && !is_users(r->span); r = r->owner) {
    Span first;
    for (const auto& [name, slot] : r->owner->slots) {
      if (!slot.value.is(ValueKind::record) || slot.value.record != r) continue;
      Span at = origin(r->owner, Symbol{name});
      if (is_users(at) && (!first.valid() || at.begin < first.begin)) first = at;
    }
    if (first.valid()) return first;
  }
  return record->span;
}

// All that a record should say and does not, told once, in the order of its type.
void Evaluator::missing_fields(Record* record, const Field& asked) {
  validate(record, "");
  if (Hints(*this).misspelled(record, asked.name)) return;               // told as an unknown field
  if (incomplete(record) || given_up(asked.name, record->span)) return;  // told as text
  std::vector<const Field*> missing;
  for (const Field& f : record->shape->fields) {
    const Type* t = f.type ? type(f.type, f.env) : nullptr;
    bool optional = t && (t->kind == TypeKind::optional || t->kind == TypeKind::map);
    bool given = f.fallback || definition(record, f.name) ||
                 std::any_of(record->presets.begin(), record->presets.end(),
                             [&](const auto& preset) { return preset.first == f.name; });
    bool needed = f.stage == lang::Stage::given && !optional && !given;
    if (needed || &f == &asked) missing.push_back(&f);
  }
  std::string names, types;
  for (size_t i = 0; i < missing.size(); ++i) {
    const Field& f = *missing[i];
    const char* join = i == 0 ? "" : i + 1 == missing.size() ? " and " : ", ";
    names += format("{}`{}`", join, text(f.name));
    types += f.type ? format("{}`{}: {}`", join, text(f.name), print(type(f.type, f.env)))
                    : format("{}`{}`", join, text(f.name));
    record->slots[f.name.value] = {SlotState::done, false, poison(), reads_};
  }
  std::string headline = record->amends_none
                             ? format("there is no `{}` to amend, and a new one needs its {}",
                                      text(record->amends_none), names)
                             : format("{} does not say its {}", kind_name(record), names);
  auto builder = diagnose(Kind::MissingField, taken_at(record), std::move(headline));
  builder.note(format("{} {} no default", types, missing.size() == 1 ? "has" : "have"),
               missing.front()->span);
  if (!record->amends_none && !is_users(record->span)) {
    Hints::Names fields;
    for (const Field* f : missing) fields.push_back(text(f->name));
    Hints(*this).unfinished(builder, record, taken_at(record), fields);
  }
  if (record->amends_none)
    builder.help(format("`{} = ...` sets all of it", text(record->amends_none)));
  const Type* first =
      missing.front()->type ? type(missing.front()->type, missing.front()->env) : nullptr;
  if (record->shape->kind == ShapeKind::model && first && first->kind == TypeKind::model)
    builder.help(
        format("beside the plan's model, an objective is given others by `frozen = {{ {} "
               "= ... }}`",
               text(missing.front()->name)));
  sink_.add(std::move(builder));
}

}  // namespace dtp::eval

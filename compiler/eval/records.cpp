// Records: fields found through their layers, late bound, evaluated once.
#include <llvm/ADT/DenseSet.h>

#include "eval/evaluator.h"
#include "eval/guards.h"
#include "eval/hints.h"
#include "eval/supposition.h"

namespace dtp::eval {

using lang::FieldAction;
using lang::FieldDef;

Record* Evaluator::instantiate(const Shape* shape, Span span) {
  auto* record = make<Record>();
  record->shape = shape;
  record->span = span;
  return record;
}

Record* Evaluator::amend(Record* base, const lang::RecordBody* body, Env* env, bool in_place) {
  spend(base->span, kCopy);
  auto* record = make<Record>(*base);
  record->validated = false;
  for (Layer& l : record->layers) l.self_env = nullptr;
  record->layers.push_back({body, env, in_place ? nullptr : base, nullptr});
  return record;
}

Env* Evaluator::layer_env(Record* record, size_t i) {
  Layer& layer = record->layers[i];
  if (layer.self_env) return layer.self_env;
  if (layer.body->outside) return layer.env;
  Env* env = make<Env>();
  env->parent = layer.env;
  env->record = record;
  env->body = layer.body;
  env->layer = i;
  env->shape = record->shape;
  env->base = layer.base;
  layer.self_env = env;
  return env;
}

Env* Evaluator::shape_env(Record* record, const Shape* shape) {
  Env* env = make<Env>();
  env->parent = shape->env;
  env->record = record;
  env->shape = shape;
  return env;
}

bool Evaluator::has_field(const Record* record, Symbol name) const {
  if (record->shape && !record->is_map) return record->shape->field(name) != nullptr;
  for (const auto& [preset, value] : record->presets)
    if (preset == name) return true;
  return definition(record, name).has_value();
}

std::optional<Definition> Evaluator::definition(const Record* record, Symbol name) const {
  for (size_t i = record->layers.size(); i-- > 0;) {
    llvm::ArrayRef<FieldDef> fields = record->layers[i].body->fields;
    for (size_t k = fields.size(); k-- > 0;)
      if (fields[k].name == name) return Definition{&fields[k], &record->layers[i]};
  }
  return std::nullopt;
}

Span Evaluator::origin(const Record* record, Symbol name) const {
  if (auto d = definition(record, name)) {
    if (d->field->action != FieldAction::amend) return d->field->span;
    return d->field->span;
  }
  for (size_t i = 0; i < record->presets.size(); ++i)
    if (record->presets[i].first == name) return record->preset_spans[i].second;
  return record->span;
}

Value Evaluator::field(Record* record, Symbol name, Span use) {
  auto [slot, fresh] = record->slots.try_emplace(name.value, Slot{});
  if (!fresh) {
    if (slot->second.state == SlotState::done) {
      note_reads(slot->second.reads);
      return outdated(slot->second) ? adopt(compute_field(record, name, use), record, name)
                                    : slot->second.value;
    }
    Span at = origin(record, name);
    auto builder = diagnose(Kind::EvaluationCycle, at.valid() ? at : use, ring(record, name));
    builder.label(use, "read again here, while it is being worked out");
    for (const auto& [owner, word] : worked_out_)
      if (owner == record) Hints(*this).hidden(builder, record, word);
    sink_.add(std::move(builder));
    return poison();
  }
  WorkedOut here(*this, record, name);
  Reads own(*this);
  uint64_t estimates = estimates_read_;
  Value v = adopt(compute_field(record, name, use), record, name);
  if (unfinished_ && v.poisoned())
    record->slots.erase(name.value);
  else
    record->slots[name.value] = {SlotState::done, estimates != estimates_read_, v, reads_};
  return v;
}

Value Evaluator::given(Record* record, Symbol name) {
  return compute_field(record, name, record->span, false);
}

const Type* Evaluator::field_type(const Record* record, Symbol name) {
  if (record->is_map) return record->element;
  if (!record->shape) return nullptr;
  const Field* f = record->shape->field(name);
  return f && f->type ? type(f->type, f->env) : nullptr;
}

Value Evaluator::compute_field(Record* record, Symbol name, Span use, bool fill_auto) {
  const Field* declared_field =
      record->shape && !record->is_map ? record->shape->field(name) : nullptr;
  const Type* t = field_type(record, name);
  std::string what = quoted(text(name));
  if (declared_field && declared_field->stage != lang::Stage::given && definition(record, name)) {
    validate(record, "");  // says that it cannot be set
    return poison();
  }

  // From the top: amendments pile up until something sets the whole field.
  llvm::SmallVector<std::pair<const FieldDef*, size_t>, 4> amendments;
  Value v = make_simple(ValueKind::hole);
  for (size_t i = record->layers.size(); i-- > 0 && v.is(ValueKind::hole);) {
    llvm::ArrayRef<FieldDef> fields = record->layers[i].body->fields;
    if (!spend(use, fields.size() / 64)) return poison();
    for (size_t k = fields.size(); k-- > 0;) {
      if (fields[k].name != name) continue;
      if (fields[k].action == FieldAction::amend) {
        amendments.push_back({&fields[k], i});
        continue;
      }
      v = evaluate(fields[k].value, layer_env(record, i), t);
      bool taken_away = record->is_map && v.is(ValueKind::none);
      if (t && !taken_away) v = conform(v, t, fields[k].value, what);
      break;
    }
  }
  if (v.is(ValueKind::hole))
    for (size_t i = 0; i < record->presets.size(); ++i)
      if (record->presets[i].first == name) {
        v = record->presets[i].second;
        const lang::Expr* written = nullptr;
        for (const auto& preset : record->preset_exprs)
          if (preset.name == name) written = preset.expr;
        if (t && written && written->span == record->preset_spans[i].second)
          v = conform(v, t, written, what);
        else if (t)
          v = conform(v, t, record->preset_spans[i].second, what);
      }
  if (v.is(ValueKind::hole)) {
    if (amendments.empty() || (declared_field && declared_field->fallback)) {
      v = declared_field ? default_field(record, *declared_field, use) : poison();
    } else {
      v = make_simple(ValueKind::none);  // amended without a value below: starts from the type
    }
  }
  for (size_t i = amendments.size(); i-- > 0;)
    v = amend_value(v, *amendments[i].first, layer_env(record, amendments[i].second), t);
  if (fill_auto && v.is(ValueKind::auto_) && declared_field)
    if (auto filled = derived(record, *declared_field, use)) v = *filled;
  return v;
}

// What the engine fills in. Of a record that is not finished it is not told what it lacks.
std::optional<Value> Evaluator::derived(Record* record, const Field& f, Span use) {
  if (!host_) return std::nullopt;
  if (!unfinished_) return host_->derived(record, f, use);
  NullSink quiet;
  DiagnosticSink* before = swap_sink(&quiet);
  auto value = host_->derived(record, f, use);
  swap_sink(before);
  return value;
}

Value Evaluator::default_field(Record* record, const Field& f, Span use) {
  const Type* t = f.type ? type(f.type, f.env) : nullptr;
  if (f.stage == lang::Stage::estimated && unfinished_) return poison();
  if (f.stage == lang::Stage::estimated && host_) {
    note_estimate();
    if (supposing_) supposing_->read(record);
    return host_->estimated(record, f, use);
  }
  if (f.stage == lang::Stage::derived)
    if (auto value = derived(record, f, use)) return *value;
  if (f.fallback) {
    Env* env = make<Env>();
    env->parent = f.env;
    env->record = record;
    env->shape = record->shape;
    Value v = evaluate(f.fallback, env, t);
    return t ? conform(v, t, f.fallback, quoted(text(f.name))) : v;
  }
  if (t && t->kind == TypeKind::optional) return make_simple(ValueKind::none);
  if (t && t->kind == TypeKind::map) {
    auto* empty = make<Record>();
    empty->is_map = true;
    empty->element = t->element;
    empty->key_type = t->key;
    return make_record(empty);
  }
  if (unfinished_) return poison();
  missing_fields(record, f);
  return poison();
}

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
    Hints(*this).unfinished(builder, taken_at(record), fields);
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

Value Evaluator::amend_value(const Value& value, const FieldDef& fd, Env* env, const Type* t) {
  if (value.poisoned()) return value;
  std::string what = quoted(text(fd.name));
  const Type* inner = t;
  while (inner && inner->kind == TypeKind::optional) inner = inner->element;
  if (value.is(ValueKind::record)) {
    Record* amended = amend(value.record, fd.body, env, true);
    Value v = make_record(amended);
    return t ? conform(v, t, fd.span, what) : v;
  }
  if (value.is(ValueKind::none) || value.is(ValueKind::auto_)) {
    if (inner && inner->kind == TypeKind::choice) {
      return error(Kind::TypeMismatch, fd.key_span,
                   format("{} is `none`, so it has nothing to amend: set it with `=`", what));
    }
    auto* record = make<Record>();
    record->span = fd.span;
    record->amends_none = fd.name;
    record->is_map = inner && inner->kind == TypeKind::map;
    if (record->is_map) {
      record->element = inner->element;
      record->key_type = inner->key;
    }
    record->layers.push_back({fd.body, env, nullptr, nullptr});
    Value v = make_record(record);
    return t ? conform(v, t, fd.span, what) : v;
  }
  return error(
      Kind::TypeMismatch, fd.key_span,
      format("{0} is {1}, and `{{ }}` amends records; set it with `=`", what, describe(value)));
}

// A record held by a field knows its owner, so that `batch` finds its plan. A record that is shared
// is copied, once for each owner: two fields that hold the same one still do. A model is another
// one in each field.
Value Evaluator::adopt(Value value, Record* owner, Symbol field) {
  if (!value.is(ValueKind::record) || value.record->owner == owner) return value;
  if (value.record->shape && value.record->shape->name == sym::Plan) return value;
  if (value.record->home) return value;  // a part is the same one wherever it is handed to
  bool model = value.record->shape && value.record->shape->kind == ShapeKind::model;
  Record*& own = adopted_[{value.record, owner}];
  if (own && !model) return make_record(own);
  own = copy(value.record);
  if (!own) return poison();
  own->owner = owner;
  own->held_as = field;
  return make_record(own);
}

Record* Evaluator::copy(Record* record) {
  if (!spend(record->span, kCopy)) return nullptr;
  auto* own = make<Record>(*record);
  for (Layer& l : own->layers) l.self_env = nullptr;
  return own;
}

std::vector<Symbol> Evaluator::keys(Record* record) {
  std::vector<Symbol> all;
  llvm::DenseSet<uint32_t> seen;
  auto add = [&](Symbol name) {
    if (seen.insert(name.value).second) all.push_back(name);
  };
  if (record->shape && !record->is_map) {
    for (const Field& f : record->shape->fields) add(f.name);
    return all;
  }
  for (const auto& [name, value] : record->presets) add(name);
  for (const Layer& layer : record->layers)
    for (const FieldDef& f : layer.body->fields) add(f.name);
  std::vector<Symbol> present;  // an entry set to none is taken away
  for (Symbol s : all)
    if (!field(record, s, record->span).is(ValueKind::none)) present.push_back(s);
  return present;
}

std::string Evaluator::kind_name(const Record* record) const {
  if (!record->shape) return record->is_map ? "this map" : "this record";
  std::string_view type_name = text(record->shape->name);
  if ((record->shape->name == sym::Plan || is_series(record)) && record->name)
    return format("plan `{}`", text(record->name));
  switch (record->shape->kind) {
    case ShapeKind::model: return format("model {}", type_name);
    case ShapeKind::case_: return format("`{}`", type_name);
    default: break;
  }
  return std::string(type_name);
}

}  // namespace dtp::eval

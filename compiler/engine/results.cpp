// Estimates as the records that a plan's expressions read.
#include "engine/engine.h"
#include "estimate/fields.h"
#include "eval/arithmetic.h"

namespace dtp::engine {

using eval::Value;

namespace {

// Fills an instance of the declared result type; what is not estimated is unknown, and says so.
class ResultRecord {
 public:
  ResultRecord(eval::Evaluator& evaluator, const eval::Field& field) : ev_(evaluator) {
    const eval::Type* type = field.type ? ev_.type(field.type, field.env) : nullptr;
    if (type && type->kind == eval::TypeKind::record)
      record_ = ev_.instantiate(type->shape, field.span);
  }

  void put(std::string_view name, const estimate::Estimate& e, const units::Dimension& dimension) {
    eval::Number number = eval::interval_number(e.value, dimension, ev_.keep(e.why));
    number.result = record_ ? record_->shape->field(ev_.names().intern(name)) : nullptr;
    put(name, ev_.make_number(number));
  }
  void put(std::string_view name, Value value) {
    if (!record_) return;
    Symbol symbol = ev_.names().intern(name);
    record_->presets.push_back({symbol, value});
    record_->preset_spans.push_back({symbol, record_->span});
  }

  // Why there is no figure, where it is not that this version has no rule for it.
  void give_reason(std::string_view why) { why_not_ = why; }

  // One entry a phase. What is on the host, and the phases outside the step, are not estimated.
  void put_phases(const estimate::Memory& m) {
    const eval::Field* field =
        record_ ? record_->shape->field(ev_.names().intern("phases")) : nullptr;
    const eval::Type* map = field && field->type ? ev_.type(field->type, field->env) : nullptr;
    if (!map || !map->key || !map->key->shape || !map->element || !map->element->shape) return;
    auto* phases = ev_.make<eval::Record>();
    phases->is_map = true;
    phases->element = map->element;
    phases->key_type = map->key;
    for (const eval::Shape* phase : map->key->shape->cases) {
      ResultRecord entry(ev_, ev_.instantiate(map->element->shape, field->span));
      for (int i = 0; i < estimate::kPhases; ++i)
        if (estimate::name_of(static_cast<estimate::Phase>(i)) == ev_.text(phase->name))
          entry.put("device", {m.phases[i], "the whole device in this phase"},
                    units::kMemoryDimension);
      phases->presets.push_back({phase->name, entry.finish()});
      phases->preset_spans.push_back({phase->name, field->span});
    }
    put("phases", ev_.make_record(phases));
  }

  Value finish() {
    if (!record_) return not_estimated();  // `ranks`: a list
    for (const eval::Field& f : record_->shape->fields) {
      bool given = false;
      for (const auto& [name, value] : record_->presets) given = given || name == f.name;
      if (given) continue;
      put(ev_.text(f.name), not_estimated());
    }
    return ev_.make_record(record_);
  }

 private:
  ResultRecord(eval::Evaluator& evaluator, eval::Record* record)
      : ev_(evaluator), record_(record) {}

  Value not_estimated() { return ev_.make_unknown(why_not_); }

  eval::Evaluator& ev_;
  eval::Record* record_ = nullptr;
  std::string_view why_not_ = "not estimated in this version";
};

}  // namespace

Value result_value(eval::Evaluator& ev, const estimate::Estimates& e, const eval::Field& field) {
  std::string_view group = ev.text(field.name);
  ResultRecord r(ev, field);
  for (const estimate::ResultField& f : estimate::result_fields())
    if (f.group == group && is_known(f, e))
      r.put(f.name, f.of(e), estimate::dimension_of(f.quantity, e));
  if (group == "memory") r.put_phases(e.memory);
  if (group == "cost" && e.cost.currency.empty()) r.give_reason(e.cost.total.why);
  return r.finish();
}

}  // namespace dtp::engine

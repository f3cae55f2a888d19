// What a plan may say and this version does not estimate. A figure that leaves it out would be
// wrong and look right, so each is refused where the author wrote it.
#include <algorithm>

#include "eval/guards.h"
#include "plan/reader.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

Span Reader::place(Record* record, std::string_view name) {
  Span at = ev_.origin(record, ev_.names().intern(name));
  return at.valid() ? at : record->span;
}

bool Reader::written(const Record* record, std::string_view name) {
  Symbol symbol = ev_.names().intern(name);
  if (ev_.definition(record, symbol)) return true;
  return std::any_of(record->presets.begin(), record->presets.end(),
                     [&](const auto& preset) { return preset.first == symbol; });
}

// What is told next is told of this field: it stands unless the field itself is left to be chosen.
void Reader::rests_on(Record* record, std::string_view field) {
  Symbol symbol = ev_.names().intern(field);
  if (ev_.has_field(record, symbol)) ev_.field(record, symbol, record->span);
}

void Reader::unsupported(Record* record, std::string_view field, std::string text) {
  eval::Reads own(ev_, true);
  rests_on(record, field);
  ev_.error(Kind::UnsupportedSetting, place(record, field), std::move(text));
  failed_ = true;
}

void Reader::unsupported(Record* record, std::string_view field) {
  unsupported(record, field,
              format("`{}` {} read, but not estimated in this version", field,
                     field.ends_with('s') ? "are" : "is"));
}

void Reader::read_unsupported() {
  for (std::string_view field : {"loader", "checkpoint", "evaluation", "failures", "routing"})
    if (Value v = get(plan_, field); !v.is(ValueKind::none) && !v.poisoned()) {
      // Of text that did not parse nothing more is told.
      if (v.is(ValueKind::record) && eval::Evaluator::incomplete(v.record))
        failed_ = true;
      else
        unsupported(plan_, field);
    }
  if (Record* load = record_of(get(plan_, "load"));
      load && !get(load, "device_map").is(ValueKind::none))
    unsupported(load, "device_map");
  if (case_name(plan_, "layout") == "channels_last")
    unsupported(plan_, "layout",
                "`layout = channels_last` is read, but not estimated in this version");
  if (Value ema = get(plan_, "ema"); ema.is(ValueKind::record))
    if (std::string where = case_name(ema.record, "where"); !where.empty() && where != "device")
      unsupported(ema.record, "where",
                  format("an average that is kept in `where = {}` is read, but not estimated in "
                         "this version",
                         where));
  read_unsupported_parts();
  Record* framework = record_of(get(plan_, "framework"));
  if (!framework) return;
  if (flag(framework, "compile"))
    unsupported(framework, "compile",
                "`compile = true` is read, but not estimated in this version");
  Record* allocator = record_of(get(framework, "allocator"));
  if (!allocator) return;
  // A switch that is off, and sizes that nobody wrote, are what is estimated.
  if (flag(allocator, "expandable")) unsupported(allocator, "expandable");
  for (std::string_view size : {"small", "small_segment", "large_segment"})
    if (written(allocator, size)) unsupported(allocator, size);
}

// What is said of frozen parts. Without autocast nothing casts between their type and the model's.
void Reader::read_unsupported_parts() {
  if (Record* frozen = record_of(get(plan_, "frozen")))
    for (Symbol name : ev_.keys(frozen)) {
      Value part = get(frozen, ev_.text(name));
      if (!part.is(ValueKind::record)) continue;
      if (Value cached = get(part.record, "cached"); cached.is(ValueKind::record))
        unsupported(part.record, "cached");
    }
  Record* precision = record_of(get(plan_, "precision"));
  if (!precision) return;
  if (!get(precision, "frozen").is(ValueKind::none) && !flag(precision, "autocast"))
    unsupported(precision, "frozen",
                "`frozen` without autocast is read, but not estimated in this version");
}

}  // namespace dtp::plan

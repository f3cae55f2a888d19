// What a plan may say and this version does not estimate. A figure that leaves it out would be
// wrong and look right, so each is refused where the author wrote it.
#include <algorithm>

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

void Reader::unsupported(Record* record, std::string_view field, std::string text) {
  ev_.error(Kind::UnsupportedSetting, place(record, field), std::move(text));
  failed_ = true;
}

void Reader::unsupported(Record* record, std::string_view field) {
  unsupported(record, field,
              format("`{}` {} read, but not estimated in this version", field,
                     field.ends_with('s') ? "are" : "is"));
}

void Reader::read_unsupported() {
  for (std::string_view field : {"adapters", "loader", "checkpoint", "evaluation", "failures"})
    if (Value v = get(plan_, field); !v.is(ValueKind::none) && !v.poisoned()) {
      // Of text that did not parse nothing more is told.
      if (v.is(ValueKind::record) && eval::Evaluator::incomplete(v.record))
        failed_ = true;
      else
        unsupported(plan_, field);
    }
  if (Record* parts = record_of(get(plan_, "parts")); parts && !ev_.keys(parts).empty())
    unsupported(plan_, "parts");
  if (Value runs = get(plan_, "calibration"); runs.is(ValueKind::list) && !runs.items().empty())
    unsupported(plan_, "calibration");
  if (Record* o = record_of(get(plan_, "optimizer")); o && flag(o, "in_backward"))
    unsupported(o, "in_backward");
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

}  // namespace dtp::plan

// What a column of a table says, seen from its name: `step_time_ms`, `max_memory_mib`.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace dtp::trial {

struct Column {
  std::string_view result;  // "time.step"; empty: nothing is known of it
  double scale = 1;         // to base units
  bool rate = false;        // samples a second: a step takes those of a step over it
  bool without_unit = false;
  std::string_view units;  // that its name may end with: "s, ms, us"
};

Column column_of(std::string_view written);
// "step_time, forward_time, ..." with their units, for people.
std::string known_columns();

}  // namespace dtp::trial

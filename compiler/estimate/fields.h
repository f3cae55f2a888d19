// The estimates by name. fields.def is the only list of them.
#pragma once
#include <span>
#include <string_view>

#include "estimate/estimates.h"
#include "units/dimension.h"

namespace dtp::estimate {

enum class Quantity : uint8_t {
  memory,
  time,
  samples_a_second,
  tokens_a_second,
  work_a_second,
  share,
  money,
  energy
};

// What a figure is of several runs: their sum, the largest of them, or each has its own.
enum class Together : uint8_t { sum, largest, each };

struct ResultField {
  std::string_view group, name;  // "memory", "peak"
  Quantity quantity;
  Together together;
  std::string_view doc;
  const Estimate& (*of)(const Estimates& estimates);
};

// Group by group, in the order in which they are shown.
std::span<const ResultField> result_fields();
// "time.step"; null where there is none of that name.
const ResultField* result_named(std::string_view path);

// Money has the dimension of the plan's currency.
units::Dimension dimension_of(Quantity quantity, const Estimates& estimates);

// Whether it is of the whole plan: it follows from how long the plan runs.
bool is_total(const ResultField& field);

// Whether there is such a figure: no money without a price, no tokens where the data has no
// sequence.
bool is_known(const ResultField& field, const Estimates& estimates);

}  // namespace dtp::estimate

// What was measured beside what is predicted, phase by phase.
#pragma once
#include "engine/outcome.h"
#include "trial/measurement.h"
#include "units/unit_table.h"

namespace dtp::trial {

struct Row {
  std::string phase;  // "forward"
  std::string what;   // "time"
  std::string predicted, measured;
  std::string verdict;  // "0.97 of it, inside"
  bool inside = false;
  bool above = false;  // tensors, by some bytes
};

// In the order of a step.
std::vector<Row> compare(const Measurement& measurement, const engine::Outcome& outcome,
                         const units::UnitTable& units);

// The rows as a table, and below it the first phase that parts from what is predicted.
std::string comparison_text(const Measurement& measurement, const std::vector<Row>& rows);

// The estimates of the plan as they are with what was measured in the place of what was estimated.
estimate::Estimates calibrated(const Measurement& measurement, const engine::Outcome& outcome);

// What changes by that, a line a result: "time.step  12 ms (5 to 40) -> 13 ms (12 to 15)".
std::string changes_text(const estimate::Estimates& before, const estimate::Estimates& after,
                         const units::UnitTable& units);

}  // namespace dtp::trial

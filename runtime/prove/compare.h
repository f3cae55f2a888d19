// What was predicted beside what happened.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "runtime/prove/measure.h"

namespace dtp::runtime::prove {

// The events of a run of folded pieces, one by one. Nothing where they are too many to write down.
std::optional<std::vector<Happened>> unfolded(const TrainingConfig& config, Sequence sequence);

// Where two runs of events part.
struct Parting {
  std::string part;  // "forward"
  size_t event = 0;  // number of the event, counted from 0, in what happened
  std::string predicted, measured;
  std::vector<std::string> around;  // events before and after, both sides
};

struct Comparison {
  std::vector<std::string> off;  // names of the numbers that differ
  std::optional<Parting> parting;
  size_t events = 0;      // that were compared
  bool unfolded = false;  // false: nothing is predicted event by event, or too much
  bool good() const { return off.empty() && !parting; }
};

// `around`: how many events before and after a parting are told.
Comparison compare(const TrainingConfig& config, const Measured& measured, size_t around);

}  // namespace dtp::runtime::prove

// What tells the step of one plan from that of another, in texts: a trial's record keeps them, so
// that it is known of which plans it speaks.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "engine/outcome.h"

namespace dtp::engine {

struct StepFact {
  std::string_view name;  // "batch.micro"
  std::string (*of)(const Outcome& outcome);
};

// In the order in which they are shown.
std::span<const StepFact> step_facts();

}  // namespace dtp::engine

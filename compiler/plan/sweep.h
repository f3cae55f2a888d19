// `each`: a plan that says `recompute = each [none, full]` is one plan for every choice; with
// several such fields, for every combination.
#pragma once
#include <string>
#include <vector>

#include "eval/evaluator.h"
#include "plan/override.h"

namespace dtp::plan {

inline constexpr size_t kMostVariants = 1000;

// One plan of a sweep. A plan without `each` is its own only variant, of an empty name.
struct Variant {
  std::string name;              // "recompute = full, batch.micro = 8"
  eval::Record* plan = nullptr;  // named "p (recompute = full, batch.micro = 8)"
};

// Nothing after a report: an axis that is no list, or too many combinations.
std::vector<Variant> variants(eval::Evaluator& evaluator, OverrideMaker& make, eval::Record* plan);

}  // namespace dtp::plan

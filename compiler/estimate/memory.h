// The memory of a plan: what is always there, the passes on top, the optimizer's step, and what the
// process takes beside its tensors.
#pragma once
#include "estimate/estimates.h"

namespace dtp::estimate {

// Whether gradients outlive a step, so that every pass adds to what is there.
bool gradients_stay(const plan::Settings& settings);

Memory estimate_memory(Estimator& estimator, const plan::Settings& settings);

}  // namespace dtp::estimate

// The memory of a plan: what is always there, the passes on top, the optimizer's step, and what the
// process takes beside its tensors.
#pragma once
#include "estimate/estimates.h"
#include "step/static_memory.h"

namespace dtp::estimate {

// Whether gradients outlive a step, so that every pass adds to what is there.
bool gradients_stay(const plan::Settings& settings);

// Gradients of a pass that its schedule does not have, of those that did not exist before.
Int128 gradients_beside_pass(const plan::Settings& settings, const step::StaticMemory& memory);

Memory estimate_memory(Estimator& estimator, const plan::Settings& settings);

}  // namespace dtp::estimate

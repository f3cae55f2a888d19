// The memory of a plan: what is always there, the passes on top, the optimizer's step, and what the
// process takes beside its tensors.
#pragma once
#include "estimate/estimates.h"

namespace dtp::estimate {

Memory estimate_memory(Estimator& estimator, const plan::Settings& settings);

}  // namespace dtp::estimate

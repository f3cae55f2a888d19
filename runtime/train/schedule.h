// The learning rate of each step.
#pragma once
#include <cstdint>

#include "runtime/config/training_config.h"

namespace dtp::runtime::train {

// As a share of the optimizer's rate. `step` counts from 0, `steps` is the length of the run: where
// a schedule names no end, it ends there. The last step of the warm-up has the whole rate.
double rate_at(const Schedule& schedule, int64_t step, int64_t steps);

}  // namespace dtp::runtime::train

// A plan as the runtime trains it, and its two forms as text.
#pragma once
#include <string>

#include "engine/outcome.h"
#include "plan/training.h"
#include "runtime/config/training_config.h"

namespace dtp::emit {

// The outcome is one that the target can train. `version`: of this dtpc.
runtime::TrainingConfig training_config(const engine::Outcome& outcome,
                                        const plan::Training& training, std::string_view version);

std::string training_json(const runtime::TrainingConfig& config);
// A C++ header that defines `job::training_config()`.
std::string training_header(const runtime::TrainingConfig& config);

}  // namespace dtp::emit

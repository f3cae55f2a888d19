// What a change does to a plan's figures, in words.
#pragma once
#include <string>

#include "suggest/trial.h"

namespace dtp::suggest {

// "memory.peak 50.9 GiB -> 19.3 GiB (18.4 to 21.7), time.step 1.27 s -> 1.69 s (1.33x)": the peak,
// what the GPU has, the step and the cost where they change. `asked`: what the requirement
// compares, such as "time.total", is told first; empty: nothing is.
std::string effect(eval::Evaluator& ev, const engine::Outcome& now, const std::string& asked,
                   const std::string& asked_now, const Tried& tried);

}  // namespace dtp::suggest

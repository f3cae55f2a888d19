// A measurement as a record of the language, which a plan imports and cites.
#pragma once
#include <string>
#include <string_view>

#include "engine/outcome.h"
#include "trial/measurement.h"

namespace dtp::trial {

// The whole file, in the style of the language. `from`: the file that was read.
std::string record_text(const Measurement& measurement, const engine::Outcome& outcome,
                        std::string_view from);

}  // namespace dtp::trial

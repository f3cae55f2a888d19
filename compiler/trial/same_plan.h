// Whether a measurement is of the plan that it is held against.
#pragma once
#include "engine/outcome.h"
#include "trial/measurement.h"

namespace dtp::trial {

// False after a report that says what differs. A table, which says nothing of its plan, is
// believed.
bool is_of_plan(const Measurement& measurement, const engine::Outcome& outcome,
                DiagnosticSink& sink);

}  // namespace dtp::trial

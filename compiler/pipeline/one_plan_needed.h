// A plan that leaves something to be chosen, or a series of plans, where one plan is needed.
#pragma once
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace dtp::pipeline {

// "plan `p` leaves 2 choices open, so it cannot be emitted". `purpose`: what cannot be done.
Diagnostic open_plan_refused(const std::string& plan, Span span,
                             const std::vector<std::string>& choices, const char* purpose);

// "plan `p` is a series of 3 runs, and one plan is emitted"
Diagnostic series_refused(const std::string& plan, Span span, const std::vector<std::string>& runs,
                          const char* purpose);

}  // namespace dtp::pipeline

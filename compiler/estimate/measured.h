// Figures of a trial run that take the place of their estimates.
#pragma once
#include <string_view>

#include "plan/settings.h"

namespace dtp::estimate {

// Whether an estimate gives way to a measurement of this result, "time.step". What follows from the
// result (a total, a cost, the peak that an allocation is part of) follows from what was measured.
bool takes_measured(std::string_view path);

// The measured figure where the plan has one, else what was estimated.
plan::Estimate measured_or(const plan::Settings& settings, std::string_view path,
                           const plan::Estimate& estimated);

}  // namespace dtp::estimate

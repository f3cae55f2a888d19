// What the process ends with.
#pragma once
#include <algorithm>

namespace dtp::driver {

enum ExitStatus : int {
  kClean = 0,
  kErrorsInPlans = 1,
  kWrongUse = 2,    // unknown flag, missing file, output that cannot be written
  kToolFailed = 3,  // a fault of the tool itself
};

inline ExitStatus worse(ExitStatus a, ExitStatus b) { return std::max(a, b); }

}  // namespace dtp::driver

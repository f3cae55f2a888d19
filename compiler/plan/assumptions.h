// What of a plan's settings is not known exactly, each under a name of its own.
#pragma once
#include <string>
#include <vector>

#include "plan/settings.h"

namespace dtp::plan {

// One of them, in base units. `value` points into the settings it was taken from.
struct OpenSetting {
  std::string name;  // "share of the peak that products reach"
  std::string why;   // its source; the name where it has none
  Interval* value;
};

std::vector<OpenSetting> open_settings(Settings& settings);

}  // namespace dtp::plan

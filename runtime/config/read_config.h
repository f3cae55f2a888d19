// A training config from its JSON form. Throws ConfigError where it is not one.
#pragma once
#include <string>
#include <string_view>

#include "runtime/config/training_config.h"

namespace dtp::runtime {

TrainingConfig config_of_text(std::string_view json);
// Reads and validates a file.
TrainingConfig read_config(const std::string& path);

}  // namespace dtp::runtime

// Where the trainer is that `dtpc trial` runs.
#pragma once
#include <string>

namespace dtp::driver {

// What --trainer names, else $DTP_TRAIN, else dtp-train beside this program or in the folder of the
// runtime that was built with it, else on the path. Empty after a message.
std::string find_trainer(const std::string& named);

}  // namespace dtp::driver

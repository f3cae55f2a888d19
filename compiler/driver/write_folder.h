// What `-o DIR` of a subcommand does.
#pragma once
#include "base/atomic_write.h"
#include "driver/command_line.h"
#include "driver/exit_status.h"

namespace dtp::driver {

// Writes files, whose paths are names in the folder of `-o`, all of them or none, and says on
// standard error which. Files that exist are kept, and are wrong use, unless `--force`.
ExitStatus write_folder(std::vector<NewFile> files, const Arguments& arguments);

}  // namespace dtp::driver

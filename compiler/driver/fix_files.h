// `check --fix`: the files as they pass better, written or shown.
#pragma once
#include "driver/command_line.h"

namespace dtp::driver {

// Mends each file; with --diff prints what would change, and changes nothing. Files are written
// whole or not at all.
ExitStatus fix_files(const Arguments& arguments);

}  // namespace dtp::driver

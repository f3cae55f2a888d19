// What `fmt` and `check --fix` do to the user's own files.
#pragma once
#include <string>

#include "driver/command_line.h"
#include "driver/inputs.h"

namespace dtp::driver {

// The file has the text then, whole or not at all, with its mode. Through a link the file that it
// leads to is written. A mistake is told.
ExitStatus replace_file(const Input& input, const std::string& text);

}  // namespace dtp::driver

// The library's files with their trees: those in the program, or a folder's (DTP_STDLIB).
#pragma once
#include <vector>

#include "pipeline/session.h"
#include "reference/library.h"

namespace dtp::driver {

// Texts and mistakes of a folder are kept by the session. A file that cannot be read is reported.
std::vector<reference::LibraryText> library_texts(pipeline::Session& session,
                                                  const std::string& folder);

}  // namespace dtp::driver

// What must hold before a text is cut into tokens: a size we can index, no NUL, UTF-8.
#pragma once
#include <string_view>

#include "base/span.h"
#include "diagnostics/sink.h"

namespace dtp::syntax {

inline constexpr size_t kLargestFile = size_t{16} << 20;

// False, with one diagnostic, where the text cannot be read.
bool check_text(FileId file, std::string_view text, DiagnosticSink& sink);

}  // namespace dtp::syntax

// Edits of a text, made.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace dtp::edit {

// The text with the edits in it; nothing where two of them meet, or where a text that could be read
// could not be any more. A text that was in the style of `fmt` is so afterwards; one that was not
// keeps its lines.
std::optional<std::string> applied(std::string_view text, std::vector<TextEdit> edits);

}  // namespace dtp::edit

// Brackets that do not match, found before the parser runs: by the indentation and by the keywords
// that start a declaration, so that one missing `}` is told at its `{` and the plans after it still
// parse.
#pragma once
#include <string_view>
#include <vector>

#include "base/span.h"
#include "syntax/scan.h"

namespace dtp::syntax {

// Puts in what is missing and takes out what is too much. Does nothing where all brackets match.
void mend_brackets(FileId file, std::string_view text, Scan& scan, Problems& problems);

}  // namespace dtp::syntax

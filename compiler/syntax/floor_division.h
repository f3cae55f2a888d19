// Python's `a // b`. Here `//` starts a comment, so that the divisor would be passed over in
// silence.
#pragma once
#include <string_view>

#include "base/span.h"
#include "syntax/scan.h"

namespace dtp::syntax {

// Tells of each comment that follows a value on its line and reads as an operand. Where it took
// closing brackets with it, the value before it is skipped: it is not what was meant.
void tell_floor_divisions(FileId file, std::string_view text, GrammarLexer& lexer, Scan& scan,
                          Problems& problems);

}  // namespace dtp::syntax

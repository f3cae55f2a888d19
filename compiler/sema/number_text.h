// The text of a number as a value.
#pragma once
#include <string_view>

#include "lang/expression.h"

namespace dtp::sema {

// "1_281.5e-3": exact where it fits 128 bits, else the nearest double. Commas were reported and
// mean `_`.
lang::Literal parse_number(std::string_view text);

}  // namespace dtp::sema

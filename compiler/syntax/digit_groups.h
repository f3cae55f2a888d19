// `100,000` before a failure: one number in the notation of newspapers, or `0,9999` with a decimal
// comma. A value in braces is never a bare number without a name, so that it is a mistake is sure.
#pragma once
#include <span>
#include <string_view>

#include "syntax/token.h"

namespace dtp::syntax {

struct DigitGroups {
  size_t first = 0;  // tokens [first, last]; none where the two are equal
  size_t last = 0;
  bool thousands = false;  // every group after the first has three digits
};

// `failed`: the token that did not fit.
DigitGroups digit_groups(std::span<const Token> tokens, size_t failed, std::string_view text);

}  // namespace dtp::syntax

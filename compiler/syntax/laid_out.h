// The tokens of a file as the parser saw them: what a program needs that writes text again.
#pragma once
#include <string_view>
#include <vector>

#include "base/span.h"
#include "syntax/token.h"

namespace dtp::syntax {

// For a text whose tree has no errors. NL stands only where a newline ends an item; comments are in
// Tree::trivia.
std::vector<Token> laid_out_tokens(FileId file, std::string_view text);

}  // namespace dtp::syntax

// Which words are not names.
#pragma once
#include <string_view>

#include "syntax/token.h"

namespace dtp::syntax {

// The token of a reserved word; NAME for every other word.
TokenType reserved_word(std::string_view word);

// The token of a word that is a keyword only where a declaration or a part of a model starts; else
// NAME.
TokenType starting_word(std::string_view word);

}  // namespace dtp::syntax

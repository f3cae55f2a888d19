// The filter between lexer and parser: what a grammar without actions cannot see. It works in place
// on token types.
//   1. A newline is dropped inside ( ) and [ ], after a token that cannot end an item, and before
//   one that cannot start
//      one. What is left is a NL between two items.
//   2. A word on the same line after a number becomes UNIT, with every '/word' that touches it.
//   3. `model`, `plan`, `part` ... become keywords where an item starts.
//   4. Depth is bounded: so many open brackets, and so many operators nested in one another.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/token.h"

namespace dtp::syntax {

inline constexpr uint32_t kMostOpenBrackets = 256;
// Bounds the recursion of everything that walks a tree: a chain of n operators is a tree n deep.
inline constexpr uint32_t kMostLinks = 1000;

enum class Depth { fine, brackets, links };

struct LayoutResult {
  Depth depth = Depth::fine;
  Token where;  // the token that went too deep
};

enum class LayoutOf { file, hole };

LayoutResult apply_layout(std::string_view text, LayoutOf kind, std::vector<Token>& tokens);

}  // namespace dtp::syntax

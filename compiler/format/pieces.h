// A text as pieces, tokens and comments in one row, each with what the style asks of it.
#pragma once
#include <string_view>
#include <vector>

#include "syntax/token.h"
#include "syntax/tree.h"

namespace dtp::style {

struct Piece {
  syntax::Token token;
  std::string_view words;
  bool comment = false;
  bool starts_item = false;  // the first token of an item, a declaration, an argument
  bool unary = false;        // a sign, not a difference
  int newlines = 0;          // between the piece before and this one, in the author's text
};

// Separators that a line break or a closing bracket makes needless are left out.
std::vector<Piece> pieces_of(const syntax::Tree& tree);

}  // namespace dtp::style

// Tree -> text in the one style of the language. Line breaks are the author's, save around the
// braces of a body of several lines; spaces, indentation, the columns of `=` and of comments at the
// ends of lines are the style's.
#pragma once
#include <string>

#include "syntax/tree.h"

namespace dtp::style {

// What a text looks like in the one style. `tree` has no errors. The result parses to an equal tree
// with the same comments; formatting it again changes nothing.
std::string formatted(const syntax::Tree& tree);

// Whether two trees say the same: kinds, operators, words, and comments in their order. Places and
// blanks do not count.
bool same_meaning(const syntax::Tree& a, const syntax::Tree& b);

}  // namespace dtp::style

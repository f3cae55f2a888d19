// The comments of a tree that belong to something: `///` above it, a comment at the end of its
// line, the first comment of a file.
#pragma once
#include <string>

#include "syntax/tree.h"

namespace dtp::reference {

// A text with each run of spaces and line ends as one space.
std::string one_line(std::string_view text);

// The `///` lines right above byte `begin`; a line that is empty keeps paragraphs apart.
std::string comment_above(const syntax::Tree& tree, uint32_t begin);

// The comment that ends the line of byte `end`, with nothing but a comma before it.
std::string comment_behind(const syntax::Tree& tree, uint32_t end);

// What a file says of itself: the comment at its top, unless it is that of the first declaration.
std::string comment_of_file(const syntax::Tree& tree);

}  // namespace dtp::reference

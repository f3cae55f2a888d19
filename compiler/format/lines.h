// The lines of a formatted text before its columns are set.
#pragma once
#include <cstdint>
#include <vector>

#include "format/pieces.h"

namespace dtp::style {

struct Line {
  size_t first = 0;  // pieces [first, last)
  size_t last = 0;
  int indent = 0;
  bool blank_before = false;
};

// A line of pieces is a line of the author's, save that `else` joins the brace before it. Never two
// blank lines together, and none just inside a bracket.
std::vector<Line> lines_of(const std::vector<Piece>& pieces);

}  // namespace dtp::style

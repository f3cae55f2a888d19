// The columns of a formatted text: `=` of neighbouring fields, and comments at the ends of lines.
#pragma once
#include <string>
#include <vector>

#include "format/lines.h"
#include "syntax/tree.h"

namespace dtp::style {

// The text of each line, without its indentation.
std::vector<std::string> rendered(const syntax::Tree& tree, const std::vector<Piece>& pieces,
                                  const std::vector<Line>& lines);

}  // namespace dtp::style

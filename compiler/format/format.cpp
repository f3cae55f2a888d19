#include "format/format.h"

#include "format/columns.h"
#include "format/lines.h"
#include "format/pieces.h"

namespace dtp::style {

std::string formatted(const syntax::Tree& tree) {
  std::vector<Piece> pieces = pieces_of(tree);
  std::vector<Line> lines = lines_of(pieces);
  std::vector<std::string> texts = rendered(tree, pieces, lines);
  std::string result;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].blank_before) result += '\n';
    result.append(static_cast<size_t>(lines[i].indent), ' ');
    result += texts[i];
    result += '\n';
  }
  return result;
}

}  // namespace dtp::style

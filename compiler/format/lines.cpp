#include "format/lines.h"

#include <algorithm>

namespace dtp::style {
namespace {

using namespace syntax;
using enum TokenType;

constexpr int kStep = 2;

bool opens(const Piece& piece) { return !piece.comment && is_opener(piece.token.type); }
bool closes(const Piece& piece) { return !piece.comment && is_closer(piece.token.type); }

// Where the author broke the line, and so do we.
bool breaks(const Piece& before, const Piece& piece) {
  if (before.token.type == COMMENT) return true;
  bool joins = piece.token.type == ELSE && before.token.type == RBRACE && !before.comment;
  return piece.newlines > 0 && !joins;
}

// An open bracket, or the file outside all of them.
struct Context {
  int line = 0;   // the indentation of what opened it: its closing bracket stands there
  int items = 0;  // the indentation of what is inside
  int item = 0;   // the indentation of the line on which the last item inside began
};

class Indenter {
 public:
  explicit Indenter(const std::vector<Piece>& pieces) : pieces_(pieces) {}

  void place(Line& line) {
    line.indent = indent_of(line);
    size_t depth = open_.size();
    if (pieces_[line.first].starts_item) open_.back().item = line.indent;
    for (size_t i = line.first; i < line.last; ++i) {
      if (opens(pieces_[i])) {
        // After `heads: Int) {` the body belongs to the line where the declaration began.
        int base = open_.size() < depth ? open_.back().item : line.indent;
        open_.push_back({base, base + kStep, base + kStep});
      }
      if (closes(pieces_[i]) && open_.size() > 1) open_.pop_back();
    }
  }

 private:
  int indent_of(const Line& line) const {
    size_t at = line.first;
    // A comment on a line of its own stands where what it speaks of stands.
    while (at < pieces_.size() && pieces_[at].comment) ++at;
    if (at == pieces_.size()) return open_.back().items;
    if (closes(pieces_[at])) return at == line.first ? closing(at) : open_.back().items;
    return open_.back().items + (pieces_[at].starts_item ? 0 : kStep);
  }

  // `})` stands below the line that opened the outermost of the two.
  int closing(size_t at) const {
    size_t depth = open_.size() - 1;
    for (++at; depth > 1 && at < pieces_.size(); ++at, --depth)
      if (!closes(pieces_[at]) || pieces_[at].newlines != 0) break;
    return depth > 0 ? open_[depth].line : 0;
  }

  const std::vector<Piece>& pieces_;
  std::vector<Context> open_ = {Context{}};
};

}  // namespace

std::vector<Line> lines_of(const std::vector<Piece>& pieces) {
  std::vector<Line> lines;
  Indenter indenter(pieces);
  for (size_t i = 0; i < pieces.size();) {
    Line line{i, i + 1};
    while (line.last < pieces.size() && !breaks(pieces[line.last - 1], pieces[line.last]))
      ++line.last;
    bool inside_edge = i == 0 || opens(pieces[i - 1]) || closes(pieces[i]);
    line.blank_before = !inside_edge && pieces[i].newlines > 1;
    indenter.place(line);
    i = line.last;
    lines.push_back(line);
  }
  return lines;
}

}  // namespace dtp::style

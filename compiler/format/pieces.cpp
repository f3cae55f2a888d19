#include "format/pieces.h"

#include <algorithm>
#include <unordered_set>

#include "syntax/laid_out.h"

namespace dtp::style {
namespace {

using namespace syntax;
using enum TokenType;

// The `{` of the bodies of models and rules: a comma at the end of a line goes on there.
std::unordered_set<uint32_t> statement_braces(const Tree& tree) {
  std::unordered_set<uint32_t> places;
  for (const Node& node : tree.nodes())
    if (node.kind == NodeKind::Block || node.kind == NodeKind::RuleBlock) places.insert(node.begin);
  return places;
}

bool ends_operand(TokenType type) {
  switch (type) {
    case NAME:
    case NUMBER:
    case UNIT:
    case PERCENT:
    case STRING:
    case RAW_STRING:
    case TRUE:
    case FALSE:
    case NONE:
    case QUESTION:
    case RPAREN:
    case RBRACK:
    case RBRACE: return true;
    default: return false;
  }
}

std::string_view trimmed(std::string_view words) {
  size_t end = words.find_last_not_of(" \t\r\n");
  return words.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

class Splitter {
 public:
  explicit Splitter(const Tree& tree) : tree_(tree), text_(tree.text()) {}

  std::vector<Piece> run() {
    std::vector<Token> tokens = laid_out_tokens(tree_.file(), text_);
    size_t comment = 0;
    std::span<const Trivia> comments = tree_.trivia();
    for (const Token& token : tokens) {
      while (comment < comments.size() && comments[comment].begin < token.begin)
        add_comment(comments[comment++]);
      if (token.type == NL)
        fresh_ = true;
      else
        add_token(token);
    }
    while (comment < comments.size()) add_comment(comments[comment++]);
    return std::move(pieces_);
  }

 private:
  int newlines_before(uint32_t begin) {
    std::string_view gap = text_.substr(end_, begin - end_);
    return static_cast<int>(std::count(gap.begin(), gap.end(), '\n'));
  }

  void add_comment(const Trivia& trivia) {
    Piece piece;
    piece.comment = true;
    piece.token = {trivia.kind == TriviaKind::block_comment ? BLOCK_COMMENT : COMMENT, trivia.begin,
                   trivia.end};
    piece.words = trimmed(text_.substr(trivia.begin, trivia.end - trivia.begin));
    piece.newlines = newlines_before(trivia.begin);
    end_ = trivia.begin + static_cast<uint32_t>(piece.words.size());
    pieces_.push_back(piece);
  }

  void add_token(const Token& token) {
    // `[1, , 2]`: a second comma parts nothing.
    if (token.type == COMMA && last_ == COMMA && !pieces_.back().comment) return;
    Piece piece;
    piece.token = token;
    piece.words = text_.substr(token.begin, token.end - token.begin);
    piece.newlines = newlines_before(token.begin);
    piece.starts_item = fresh_;
    piece.unary = token.type == MINUS && (fresh_ || !ends_operand(last_));
    if (is_closer(token.type)) drop_needless_comma(piece);
    fresh_ = token.type == COMMA || token.type == SEMICOLON || is_opener(token.type);
    last_ = token.type;
    end_ = token.end;
    pieces_.push_back(piece);
  }

  // `[1, 2,]` on one line needs no last comma; below one another it stays, for quiet diffs. The
  // line that the comma began is the closer's then: before it may stand a comment to the line's
  // end.
  void drop_needless_comma(Piece& closer) {
    if (pieces_.empty() || pieces_.back().token.type != COMMA) return;
    bool brace = closer.token.type == RBRACE;
    if (closer.newlines > 0 && !brace) return;
    closer.newlines = std::max(closer.newlines, pieces_.back().newlines);
    pieces_.pop_back();
  }

  const Tree& tree_;
  std::string_view text_;
  std::vector<Piece> pieces_;
  uint32_t end_ = 0;
  TokenType last_ = END;
  bool fresh_ = true;
};

// Whether the piece after `at` stands on a line of its own, or closes the body and may come to do
// so; comments of the same line aside.
bool line_ends_after(const std::vector<Piece>& all, size_t at) {
  for (size_t next = at + 1; next < all.size(); ++next) {
    if (all[next].newlines > 0) return true;
    if (!all[next].comment) return is_closer(all[next].token.type);
  }
  return true;
}

// A comma or a semicolon at the end or the start of a line of a body says what the line's end says.
std::vector<Piece> without_needless_separators(std::vector<Piece> all, const Tree& tree) {
  std::unordered_set<uint32_t> statements = statement_braces(tree);
  std::vector<TokenType> separators;  // of each open bracket
  std::vector<Piece> kept;
  for (size_t i = 0; i < all.size(); ++i) {
    const Token& token = all[i].token;
    if (is_closer(token.type) && !separators.empty()) separators.pop_back();
    bool separates = !separators.empty() && token.type == separators.back();
    bool parts_nothing = !kept.empty() && (is_opener(kept.back().token.type) ||
                                           kept.back().token.type == token.type);
    if (separates && (parts_nothing || all[i].newlines > 0 || line_ends_after(all, i))) {
      if (i + 1 < all.size()) all[i + 1].newlines = std::max(all[i + 1].newlines, all[i].newlines);
      continue;
    }
    if (is_opener(token.type)) {
      bool record = !statements.contains(token.begin);
      separators.push_back(token.type != LBRACE ? END : record ? COMMA : SEMICOLON);
    }
    // `return a,` goes on below.
    bool goes_on = token.type == COMMA && !separators.empty() && separators.back() == SEMICOLON;
    if (goes_on && i + 1 < all.size()) all[i + 1].starts_item = false;
    kept.push_back(all[i]);
  }
  return kept;
}

// A body that does not fit on its line has each of its braces at the end or the start of one.
void spread_bodies(std::vector<Piece>& pieces) {
  std::vector<size_t> open;
  size_t last_break = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].newlines > 0) last_break = i;
    TokenType type = pieces[i].token.type;
    if (is_opener(type)) open.push_back(i);
    if (!is_closer(type) || open.empty()) continue;
    size_t opener = open.back();
    open.pop_back();
    if (type != RBRACE || last_break <= opener) continue;
    bool empty = i == opener + 1;
    pieces[i].newlines = empty ? 0 : std::max(pieces[i].newlines, 1);
    if (!empty) last_break = i;
    Piece& first = pieces[opener + 1];
    if (!empty && !first.comment) first.newlines = std::max(first.newlines, 1);
  }
}

}  // namespace

std::vector<Piece> pieces_of(const Tree& tree) {
  std::vector<Piece> pieces = without_needless_separators(Splitter(tree).run(), tree);
  spread_bodies(pieces);
  return pieces;
}

}  // namespace dtp::style

#include "syntax/layout.h"

#include <array>
#include <initializer_list>

#include "syntax/keywords.h"

namespace dtp::syntax {
namespace {

using enum TokenType;
using TokenSet = std::array<bool, kTokenTypes>;

constexpr TokenSet token_set(std::initializer_list<TokenType> types) {
  TokenSet set{};
  for (TokenType type : types) set[static_cast<size_t>(type)] = true;
  return set;
}
constexpr bool has(const TokenSet& set, TokenType type) { return set[static_cast<size_t>(type)]; }

// RANGE is in neither place where it would do harm: `1..` may end an item.
constexpr TokenSet kCannotEnd =
    token_set({ASSIGN,    ARROW, COLON,   DOT,        COMMA,   PLUS,          MINUS,    STAR,
               SLASH,     CARET, LESS,    LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL,    NOT_EQUAL,
               OTHERWISE, PIPE,  IMPLIES, AND,        OR,      NOT,           IN,       IS,
               AS,        BY,    IF,      THEN,       ELSE,    FOR,           CHOOSE,   EACH,
               BECAUSE,   BLAME, SUGGEST, REQUIRE,    EXPECT,  MINIMIZE,      MAXIMIZE, RETURN});
constexpr TokenSet kCannotStart = token_set({ASSIGN,
                                             ARROW,
                                             DOT,
                                             PLUS,
                                             MINUS,
                                             STAR,
                                             SLASH,
                                             MODULO,
                                             CARET,
                                             LESS,
                                             LESS_EQUAL,
                                             GREATER,
                                             GREATER_EQUAL,
                                             EQUAL,
                                             NOT_EQUAL,
                                             OTHERWISE,
                                             RANGE,
                                             RANGE_EXCLUSIVE,
                                             PIPE,
                                             IMPLIES,
                                             AND,
                                             OR,
                                             IN,
                                             IS,
                                             AS,
                                             BY,
                                             THEN,
                                             ELSE,
                                             BECAUSE,
                                             BLAME,
                                             SUGGEST,
                                             RPAREN,
                                             RBRACK});
// Each adds one level to the tree of the expression it stands in.
constexpr TokenSet kLinks = token_set({PLUS,  MINUS,     STAR,       SLASH,   MODULO,
                                       CARET, LESS,      LESS_EQUAL, GREATER, GREATER_EQUAL,
                                       EQUAL, NOT_EQUAL, OTHERWISE,  RANGE,   RANGE_EXCLUSIVE,
                                       PIPE,  IMPLIES,   AND,        OR,      NOT,
                                       IN,    IS,        AS,         BY,      IF,
                                       ELSE,  CHOOSE,    EACH,       DOT});
constexpr TokenSet kSeparators = token_set({NL, COMMA, SEMICOLON, ASSIGN, COLON});

class Layout {
 public:
  Layout(std::string_view text, LayoutOf kind, std::vector<Token>& tokens)
      : text_(text), hole_(kind == LayoutOf::hole), tokens_(tokens) {}

  LayoutResult run() {
    for (read_ = 0; read_ < tokens_.size(); ++read_) {
      Token token = tokens_[read_];
      if (token.type == NL) {
        newline(token);
        continue;
      }
      if (token.type == NAME) word(token);
      if (!count(token)) return result_;
      put(token);
    }
    tokens_.resize(write_);
    return result_;
  }

 private:
  struct Open {
    TokenType type;
    uint32_t links;
  };

  TokenType last() const { return write_ == 0 ? NL : tokens_[write_ - 1].type; }
  TokenType next() const { return read_ + 1 < tokens_.size() ? tokens_[read_ + 1].type : END; }
  void put(Token token) { tokens_[write_++] = token; }
  bool in_list() const { return !open_.empty() && open_.back().type != LBRACE; }

  void newline(Token token) {
    tokens_before_ = NL;
    while (next() == NL) ++read_;
    if (in_list() || last() == NL) return;
    bool continues = (has(kCannotEnd, last()) && !ends_with_all()) || has(kCannotStart, next());
    if (continues && !declaration_follows()) return;
    count(token);
    put(token);
  }

  // `module.*` is whole, and no product.
  bool ends_with_all() const {
    return last() == STAR && write_ > 1 && tokens_[write_ - 2].type == DOT;
  }

  // `plan b` in the first column starts a declaration, whatever the line before lacks.
  bool declaration_follows() const {
    if (!open_.empty() || next() != NAME || read_ + 2 >= tokens_.size()) return false;
    const Token& word = tokens_[read_ + 1];
    return tokens_[read_].end == word.begin && tokens_[read_ + 2].type == NAME &&
           starting_word(text_.substr(word.begin, word.end - word.begin)) != NAME;
  }

  void word(Token& token) {
    bool touches_number = read_ > 0 && tokens_before_ == NUMBER;
    if (touches_number || (hole_ && open_.empty() && last() == COLON)) {
      unit(token);
      return;
    }
    if (hole_ || in_list()) return;
    TokenType before = last();
    if (before != NL && before != LBRACE && before != COMMA && before != SEMICOLON) return;
    TokenType after = next();
    bool fits = open_.empty() ? before == NL : after == NAME;
    if (!fits) return;
    TokenType type = starting_word(text_.substr(token.begin, token.end - token.begin));
    if (type != NAME && (type != PART || !open_.empty())) token.type = type;
  }

  // GB/s is one unit only where '/' touches both words: `4 GB / s` is a division.
  void unit(Token& token) {
    token.type = UNIT;
    while (read_ + 2 < tokens_.size()) {
      const Token& slash = tokens_[read_ + 1];
      const Token& name = tokens_[read_ + 2];
      if (slash.type != SLASH || name.type != NAME || slash.begin != token.end ||
          name.begin != slash.end)
        return;
      token.end = name.end;
      read_ += 2;
    }
  }

  bool count(Token token) {
    tokens_before_ = token.type;
    if (is_opener(token.type)) {
      open_.push_back({token.type, links_});
      if (open_.size() > kMostOpenBrackets) return refuse(Depth::brackets, token);
    } else if (is_closer(token.type)) {
      if (open_.empty()) return true;
      links_ = open_.back().links + 1;
      open_.pop_back();
    } else if (has(kSeparators, token.type)) {
      links_ = open_.empty() ? 0 : open_.back().links;
    } else if (has(kLinks, token.type)) {
      ++links_;
    }
    return links_ <= kMostLinks || refuse(Depth::links, token);
  }

  bool refuse(Depth depth, Token where) {
    result_ = {depth, where};
    return false;
  }

  std::string_view text_;
  bool hole_;
  std::vector<Token>& tokens_;
  std::vector<Open> open_;
  size_t read_ = 0;
  size_t write_ = 0;
  uint32_t links_ = 0;
  TokenType tokens_before_ =
      NL;  // the token just before in the text, unless a newline lies between
  LayoutResult result_;
};

}  // namespace

LayoutResult apply_layout(std::string_view text, LayoutOf kind, std::vector<Token>& tokens) {
  return Layout(text, kind, tokens).run();
}

}  // namespace dtp::syntax

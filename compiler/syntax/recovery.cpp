#include "syntax/recovery.h"

#include <algorithm>

namespace dtp::syntax {
namespace {

using enum TokenType;

// A value may follow.
bool starts_value(TokenType type) {
  switch (type) {
    case ASSIGN:
    case COLON:
    case REQUIRE:
    case EXPECT:
    case MINIMIZE:
    case MAXIMIZE:
    case RETURN: return true;
    default: return false;
  }
}

bool separates(TokenType type, bool commas) {
  return type == NL || type == SEMICOLON || (commas && type == COMMA);
}

class Finder {
 public:
  Finder(const std::vector<Token>& tokens, size_t at) : tokens_(tokens), at_(at) {}

  std::vector<Segment> run() {
    std::vector<size_t> starts{0};  // where the list inside each open bracket begins
    for (size_t i = 0; i < at_; ++i) {
      if (is_opener(tokens_[i].type)) starts.push_back(i + 1);
      if (is_closer(tokens_[i].type) && starts.size() > 1) starts.pop_back();
    }
    for (size_t level = starts.size(); level-- > 0;) {
      if (level > 0) {
        piece(starts[level], true, true);
        piece(starts[level], true, false);
        if (tokens_[starts[level] - 1].type == LBRACE) piece(starts[level], false, false);
      } else {
        piece(0, false, true);
      }
    }
    found_.push_back({0, tokens_.size()});
    return std::move(found_);
  }

 private:
  void piece(size_t start, bool commas, bool value_only) {
    size_t begin = start;
    size_t value = start;
    int depth = 0;
    for (size_t i = start; i < at_; ++i) {
      TokenType type = tokens_[i].type;
      if (is_opener(type)) ++depth;
      if (is_closer(type)) --depth;
      if (depth != 0) continue;
      if (separates(type, commas)) begin = value = i + 1;
      if (starts_value(type)) value = i + 1;
    }
    size_t end = std::max(at_, begin);
    for (depth = 0; end < tokens_.size(); ++end) {
      TokenType type = tokens_[end].type;
      if (depth == 0 && (separates(type, commas) || is_closer(type))) break;
      if (is_opener(type)) ++depth;
      if (is_closer(type)) --depth;
    }
    if (!value_only)
      found_.push_back({begin, end});
    else if (value > begin)
      found_.push_back({value, end});
  }

  const std::vector<Token>& tokens_;
  size_t at_;
  std::vector<Segment> found_;
};

}  // namespace

std::vector<Segment> segments_around(const std::vector<Token>& tokens, size_t at) {
  return Finder(tokens, at).run();
}

void skip(std::vector<Token>& tokens, Segment segment) {
  Token token{SKIPPED, 0, 0};
  if (segment.begin < segment.end) {
    token.begin = tokens[segment.begin].begin;
    token.end = tokens[segment.end - 1].end;
  } else {
    token.begin = token.end = segment.begin > 0 ? tokens[segment.begin - 1].end : 0;
  }
  auto from = tokens.begin() + static_cast<ptrdiff_t>(segment.begin);
  tokens.insert(tokens.erase(from, from + static_cast<ptrdiff_t>(segment.end - segment.begin)),
                token);
}

bool is_skipped(const std::vector<Token>& tokens, Segment segment) {
  return segment.end == segment.begin + 1 && tokens[segment.begin].type == SKIPPED;
}

}  // namespace dtp::syntax

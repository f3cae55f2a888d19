#include "syntax/digit_groups.h"

#include <algorithm>
#include <cctype>

namespace dtp::syntax {
namespace {

using enum TokenType;

bool follows(std::span<const Token> tokens, size_t number) {
  return number >= 2 && tokens[number - 1].type == COMMA && tokens[number - 2].type == NUMBER &&
         tokens[number - 2].end == tokens[number - 1].begin &&
         tokens[number - 1].end == tokens[number].begin;
}

bool digits(const Token& token, std::string_view text) {
  std::string_view word = text.substr(token.begin, token.end - token.begin);
  return std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isdigit(c) || c == ','; });
}

}  // namespace

DigitGroups digit_groups(std::span<const Token> tokens, size_t failed, std::string_view text) {
  if (failed == 0 || failed > tokens.size() || tokens[failed - 1].type != NUMBER) return {};
  size_t last = failed - 1;
  // The rest of the number may lie behind the failure: `1,281,167` fails at its second comma.
  while (last + 2 < tokens.size() && tokens[last + 2].type == NUMBER && follows(tokens, last + 2))
    last += 2;
  size_t first = last;
  bool thousands = true;
  while (follows(tokens, first)) {
    thousands = thousands && tokens[first].end - tokens[first].begin == 3;
    first -= 2;
  }
  constexpr size_t kMostTokens = 25;  // 39 digits: no number has more
  if (first == last || last - first >= kMostTokens) return {};
  for (size_t i = first; i <= last; i += 2)
    if (!digits(tokens[i], text)) return {};
  thousands = thousands && tokens[first].end - tokens[first].begin <= 3;
  if (!thousands && last != first + 2) return {};
  return {first, last, thousands};
}

}  // namespace dtp::syntax

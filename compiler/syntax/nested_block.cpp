#include "syntax/nested_block.h"

#include "base/out.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

size_t column(std::string_view text, const Token& token) {
  return token.begin - (text.rfind('\n', token.begin) + 1);
}

bool line_between(std::string_view text, const Token& a, const Token& b) {
  return text.substr(a.end, b.begin - a.end).find('\n') != std::string_view::npos;
}

std::string_view slice(std::string_view text, const Token& a, const Token& b) {
  return text.substr(a.begin, b.end - a.begin);
}

// Whether an inner line starts at `i`: `name:`
bool starts_line(std::span<const Token> tokens, const NestedBlock& block, size_t i) {
  return (i == block.first || tokens[i - 1].type == NL) && i + 1 < block.end &&
         tokens[i + 1].type == COLON;
}

}  // namespace

std::optional<NestedBlock> nested_block(std::string_view text, std::span<const Token> tokens,
                                        size_t failed) {
  if (failed < 3 || failed >= tokens.size() || tokens[failed].type != COLON) return {};
  NestedBlock block{failed - 3, failed - 1, failed + 1};
  const Token& key = tokens[block.key];
  const Token& first = tokens[block.first];
  if (key.type != NAME || tokens[block.key + 1].type != COLON || first.type != NAME) return {};
  if (!line_between(text, tokens[block.key + 1], first)) return {};
  if (column(text, first) <= column(text, key)) return {};
  int depth = 0;
  for (size_t i = failed + 1; i < tokens.size(); ++i) {
    if (is_opener(tokens[i].type)) ++depth;
    if (is_closer(tokens[i].type) && --depth < 0) break;
    if (tokens[i].type == NL) {
      bool inner = depth > 0 || (i + 1 < tokens.size() && !is_closer(tokens[i + 1].type) &&
                                 column(text, tokens[i + 1]) > column(text, key));
      if (!inner) break;
      continue;
    }
    block.end = i + 1;
  }
  return block;
}

std::string in_braces(std::string_view text, std::span<const Token> tokens,
                      const NestedBlock& block) {
  std::string out = format("{} = {{ ", slice(text, tokens[block.key], tokens[block.key]));
  for (size_t i = block.first; i < block.end;) {
    size_t end = i;
    while (end < block.end && tokens[end].type != NL) ++end;
    bool field = starts_line(tokens, block, i);
    size_t value = field ? i + 2 : i;
    if (out.back() != ' ') out += ", ";
    if (field) out += format("{} = ", slice(text, tokens[i], tokens[i]));
    if (value < end) out += slice(text, tokens[value], tokens[end - 1]);
    i = end + 1;
  }
  return out + " }";
}

void give_up(const NestedBlock& block, std::vector<Token>& tokens) {
  tokens[block.key + 1].type = ASSIGN;
  tokens[block.first] = {SKIPPED, tokens[block.first].begin, tokens[block.end - 1].end};
  auto begin = tokens.begin();
  tokens.erase(begin + static_cast<ptrdiff_t>(block.first) + 1,
               begin + static_cast<ptrdiff_t>(block.end));
}

}  // namespace dtp::syntax

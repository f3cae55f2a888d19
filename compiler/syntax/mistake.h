// One place where the text left the grammar, with the tokens around it, as the messages look at it.
#pragma once
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/span.h"
#include "diagnostics/diagnostic.h"
#include "syntax/antlr/grammar.h"
#include "syntax/recovery.h"

namespace dtp::syntax {

struct Mistake {
  FileId file;
  std::string_view text;
  std::span<const Token> tokens;  // of the declaration, or of the hole
  const ParseFailure& failure;
  Segment piece;  // what is given up

  // The token that did not fit is at 0, those before it at -1, -2 ...; END outside.
  Token at(int offset) const {
    auto i = static_cast<int64_t>(failure.token) + offset;
    if (i < 0) return {};
    if (i >= static_cast<int64_t>(tokens.size())) {
      uint32_t end = tokens.empty() ? 0 : tokens.back().end;
      return {TokenType::END, end, end};
    }
    return tokens[static_cast<size_t>(i)];
  }
  TokenType type(int offset) const { return at(offset).type; }
  std::string_view words(int offset) const { return slice(at(offset)); }
  std::string_view slice(const Token& token) const {
    return text.substr(token.begin, token.end - token.begin);
  }
  Span span(int first, int last) const { return {file, at(first).begin, at(last).end}; }
  bool touch(int left) const { return at(left).end == at(left + 1).begin; }
  // A line ends after the token.
  bool line_between(int left) const {
    return text.substr(at(left).end, at(left + 1).begin - at(left).end).find('\n') !=
           std::string_view::npos;
  }
  bool expects(TokenType type) const { return failure.expects(type); }
  bool expects_expression() const {
    return expects(TokenType::NUMBER) && expects(TokenType::PERCENT) && expects(TokenType::LPAREN);
  }
  // The first token of the line or statement that the failure lies in.
  TokenType item_start() const {
    Token start = item_start_token();
    return start.type;
  }
  Token item_start_token() const;
};

// A message for a known trap or habit; nothing where it is none of them.
using Found = std::optional<DiagnosticBuilder>;
Found explain_numbers(const Mistake& mistake);
Found explain_head(const Mistake& mistake);
Found explain_item(const Mistake& mistake);
Found explain_value(const Mistake& mistake);
Found explain_signs(const Mistake& mistake);
Found explain_declaration(const Mistake& mistake);
Found explain_words(const Mistake& mistake);

inline DiagnosticBuilder syntax_error(Span place, std::string headline) {
  return DiagnosticBuilder(Kind::SyntaxError, place, std::move(headline));
}

inline Found first_that_fits(std::initializer_list<Found (*)(const Mistake&)> habits,
                             const Mistake& mistake) {
  for (auto habit : habits)
    if (Found found = habit(mistake)) return found;
  return {};
}

}  // namespace dtp::syntax

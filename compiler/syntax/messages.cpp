// The general message: what was expected, what was found, after what.
#include "syntax/messages.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/out.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

// As people write it; empty for tokens that have no single spelling.
std::string_view spelling(TokenType type) {
  struct Spelled {
    TokenType type;
    std::string_view text;
  };
  static constexpr Spelled kSpelled[] = {
      {AS, "as"},           {THEN, "then"},   {ELSE, "else"},       {IN, "in"},
      {BECAUSE, "because"}, {FOR, "for"},     {IF, "if"},           {CHECKPOINTED, "checkpointed"},
      {LPAREN, "("},        {RPAREN, ")"},    {LBRACK, "["},        {RBRACK, "]"},
      {LBRACE, "{"},        {RBRACE, "}"},    {COMMA, ","},         {DOT, "."},
      {COLON, ":"},         {ASSIGN, "="},    {ARROW, "->"},        {QUESTION, "?"},
      {STAR, "*"},          {SLASH, "/"},     {RANGE, ".."},        {RANGE_EXCLUSIVE, "..<"},
      {MINUS, "-"},         {BLAME, "blame"}, {SUGGEST, "suggest"},
  };
  for (const Spelled& s : kSpelled)
    if (s.type == type) return s.text;
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

bool in_brackets(Rule rule) {
  return rule == Rule::List || rule == Rule::Call || rule == Rule::Index || rule == Rule::Params ||
         rule == Rule::Dims || rule == Rule::TypeArgs || rule == Rule::TypeTerm;
}

bool in_braces(Rule rule) {
  return rule == Rule::Body || rule == Rule::TypeBody || rule == Rule::ChoiceBody ||
         rule == Rule::ModelBody || rule == Rule::Block || rule == Rule::RuleBlock;
}

std::string expected_words(const Mistake& m) {
  if (m.expects_expression()) return m.expects(CHOOSE) ? "an expression" : "a value";
  if (m.expects(NAME) && m.expects(LBRACK) && m.expects(LPAREN)) return "a type";
  bool item_may_start = m.expects(NAME) && (m.expects(LET) || m.expects(RETURN));
  if (in_braces(m.failure.rule) && !item_may_start) {
    bool commas = m.failure.rule != Rule::Block && m.failure.rule != Rule::RuleBlock;
    return commas ? "the end of the line or `,`" : "the end of the line";
  }
  if (item_may_start)
    return m.failure.rule == Rule::Block || m.failure.rule == Rule::Statement ? "a statement"
                                                                              : "a field";
  if (m.failure.rule == Rule::OneHole) return "`}`";
  if (m.expects(END)) return "the end of the line";
  std::vector<std::string> words;
  if (in_brackets(m.failure.rule) && !m.expects(COMMA) && (m.expects(RPAREN) || m.expects(RBRACK)))
    words.push_back("`,`");
  if (m.expects(NAME)) words.push_back("a name");
  if (m.expects(NUMBER)) words.push_back("a number");
  if (m.expects(STRING)) words.push_back("a string in double quotes");
  if (m.expects(UNIT)) words.push_back("a unit");
  for (uint32_t i = 0; i < kTokenTypes && words.size() < 4; ++i)
    if (m.expects(static_cast<TokenType>(i)) && !spelling(static_cast<TokenType>(i)).empty())
      words.push_back(format("`{}`", spelling(static_cast<TokenType>(i))));
  return words.empty() ? "something else" : joined(words);
}

std::string shortened(std::string_view text) {
  constexpr size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  size_t cut = kMost;
  while (cut > 0 && (text[cut] & 0xC0) == 0x80) --cut;
  return std::string(text.substr(0, cut)) + "...";
}

std::string found_words(const Mistake& m) {
  switch (m.type(0)) {
    case END:
    case NL: return "the end of the line";
    case STRING:
    case RAW_STRING: return "a string";
    default: return format("`{}`", shortened(m.words(0)));
  }
}

}  // namespace

Token Mistake::item_start_token() const {
  int depth = 0;
  int64_t start = 0;
  for (int64_t i = static_cast<int64_t>(std::min<size_t>(failure.token, tokens.size())) - 1; i >= 0;
       --i) {
    TokenType type = tokens[static_cast<size_t>(i)].type;
    if (is_closer(type)) ++depth;
    if (is_opener(type) && --depth < 0 && type == LBRACE) {
      start = i + 1;
      break;
    }
    if (depth <= 0 && (type == NL || type == SEMICOLON)) {
      start = i + 1;
      break;
    }
  }
  return start < static_cast<int64_t>(tokens.size()) ? tokens[static_cast<size_t>(start)] : Token{};
}

DiagnosticBuilder explain(const Mistake& m) {
  for (auto part : {explain_numbers, explain_head, explain_item, explain_value, explain_signs,
                    explain_declaration, explain_words})
    if (Found known = part(m)) return std::move(*known);
  TokenType type = m.type(0);
  std::string expected = expected_words(m);
  bool something_missing = type == END || type == NL || is_closer(type) || type == SKIPPED;
  // `let a =`, and the next line starts with `let`: the value is missing where it should stand.
  bool on_the_next_line = m.expects_expression() && m.failure.token > 0 && m.line_between(-1);
  if ((something_missing || on_the_next_line) && m.failure.token > 0 &&
      m.at(-1).begin < m.at(-1).end) {
    std::string headline = format("expected {} after `{}`", expected, shortened(m.words(-1)));
    if (on_the_next_line)
      headline += ", found the end of the line";
    else if (type != SKIPPED)
      headline += format(", found {}", found_words(m));
    return DiagnosticBuilder(Kind::SyntaxError, m.span(-1, -1), std::move(headline));
  }
  Span place = m.span(0, 0);
  if (place.begin == place.end && place.begin > 0) --place.begin;
  DiagnosticBuilder builder(Kind::SyntaxError, place,
                            format("expected {}, found {}", expected, found_words(m)));
  if (in_braces(m.failure.rule) && !m.expects(NAME))
    builder.help("two items stand on two lines, or with `,` between them");
  return builder;
}

}  // namespace dtp::syntax

// Statements of models and rules, and items of records: the words that start one, and what a
// condition, a label or a path needs around it. Each function knows one shape of tokens around the
// failure, and what to write instead.
#include <string>

#include "base/out.h"
#include "syntax/mistake.h"
#include "syntax/nested_block.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

bool is_comparison(TokenType type) {
  return type == LESS || type == LESS_EQUAL || type == GREATER || type == GREATER_EQUAL ||
         type == EQUAL || type == NOT_EQUAL || type == IN || type == IS;
}

bool in_statements(const Mistake& m) {
  return m.failure.rule == Rule::Statement || m.failure.rule == Rule::RuleItem ||
         m.failure.rule == Rule::Block || m.failure.rule == Rule::RuleBlock ||
         m.failure.rule == Rule::Names;
}

bool starts_item(const Mistake& m, int offset) {
  return m.item_start_token().begin == m.at(offset).begin;
}

// `while n > 0 { ... }`, `when c { ... }`, `foreach x in xs { ... }`
Found statement_word(const Mistake& m) {
  if (!in_statements(m) || m.type(-1) != NAME || !starts_item(m, -1)) return {};
  struct Foreign {
    std::string_view theirs, ours, advice;
  };
  static constexpr Foreign kForeign[] = {
      {"while", "repeat",
       "a loop runs a known number of times: `repeat n { ... }` or `for x in xs "
       "{ ... }`"},
      {"until", "repeat", "a loop runs a known number of times: `repeat n { ... }`"},
      {"loop", "repeat", "write `repeat n { ... }`"},
      {"foreach", "for", "write `for x in xs { ... }`"},
      {"when", "if", "write `if c { ... }`"},
      {"unless", "if", "write `if not (c) { ... }`"},
      {"elif", "if", "write `else if c { ... }` after the `}`"},
      {"assert", "require", "write `require c`"}};
  for (const Foreign& f : kForeign)
    if (f.theirs == m.words(-1))
      return syntax_error(m.span(-1, -1), format("no statement starts with `{}`", f.theirs))
          .help(std::string(f.advice));
  return {};
}

// `relu(x)` on a line of its own; `p.batch.micro >= 4` in a rule or a plan.
Found bare_expression(const Mistake& m) {
  bool rule = !m.tokens.empty() && m.tokens[0].type == RULE;
  bool record = m.failure.rule == Rule::Field;
  bool compares = is_comparison(m.type(0)) && !(record && m.type(0) == EQUAL);
  if (compares && m.type(-1) == NAME && (record || (in_statements(m) && rule)))
    return syntax_error(m.span(0, 0), "a condition stands after `require` or `expect`")
        .help("write `require` before it");
  if (!in_statements(m) || m.type(-1) != NAME || !starts_item(m, -1)) return {};
  if (rule && m.type(0) == DOT)
    return syntax_error(m.span(-1, -1), "a condition of a rule stands after `require` or `expect`")
        .help("write `require` before it", {m.file, m.at(-1).begin, m.at(-1).begin}, "require ");
  if (m.type(0) == LPAREN)
    return syntax_error(m.span(-1, 0), "nothing takes what this gives")
        .help(format("name it or return it: `y = {0}(...)`, `return {0}(...)`", m.words(-1)));
  return {};
}

// require fits memory.peak <= ...
Found label_without_colon(const Mistake& m) {
  TokenType word = m.type(-2);
  if (m.type(0) != NAME || m.type(-1) != NAME || (word != REQUIRE && word != EXPECT)) return {};
  return syntax_error(m.span(0, 0), format("expected `:` after the label `{}`", m.words(-1)))
      .help(format("write `{} {}: ...`", m.words(-2), m.words(-1)),
            {m.file, m.at(-1).end, m.at(-1).end}, ":");
}

// blame "batch"        suggest 8
Found path_wanted(const Mistake& m) {
  if (m.type(-1) == BLAME)
    return syntax_error(m.span(0, 0), "after `blame` stands the path of a field")
        .help("write it without quotes, such as `blame p.batch.micro`");
  if (m.type(-1) == SUGGEST)
    return syntax_error(m.span(0, 0), "after `suggest` stand the path of a field and its new value")
        .help("such as `suggest p.batch.micro = 8`");
  return {};
}

// `} elif c {`, and `then 1 elif c`, where the word looks like a unit.
Found else_if(const Mistake& m) {
  auto word = [&](int at) { return m.words(at) == "elif" || m.words(at) == "elseif"; };
  int at = m.type(0) == NAME && word(0) ? 0 : m.type(-1) == UNIT && word(-1) ? -1 : 1;
  if (at > 0) return {};
  return syntax_error(m.span(at, at), format("`{}` is written `else if`", m.words(at)))
      .help("write `else if`", m.span(at, at), "else if", true);
}

// batch = { 256 }        xs = { 1, 2 }
Found lone_value_in_braces(const Mistake& m) {
  bool value = m.type(-1) == NUMBER || is_string(m.type(-1));
  bool ends = m.type(0) == COMMA || m.type(0) == RBRACE || m.type(0) == NL;
  if (m.failure.rule != Rule::Field || !value || !ends) return {};
  // require a <= b, "message"
  if (m.item_start() == REQUIRE || m.item_start() == EXPECT) return {};
  for (int at = -2; m.type(at) != END && m.type(at) != NL && m.type(at) != THEN; --at)
    if (m.type(at) == IF) return {};  // `if c { 1 } else { 2 }`: explain_words knows
  DiagnosticBuilder message =
      syntax_error(m.span(-1, -1), "braces hold fields and entries, and this is a bare value");
  bool alone = m.type(0) == RBRACE && m.type(-2) == LBRACE;
  if (alone && m.type(-3) == ASSIGN && m.type(-4) == NAME)
    return message.help(
        format("one value stands without braces: `{} = {}`", m.words(-4), m.words(-1)),
        m.span(-2, 0), std::string(m.words(-1)));
  return message.help(
      "a field is set by `name = value`; a list stands in square brackets: `[a, b]`");
}

// batch:
//   global: 1024
Found nested_fields(const Mistake& m) {
  auto block = nested_block(m.text, m.tokens, m.failure.token);
  if (!block) return {};
  constexpr size_t kLongest = 100;
  std::string_view key = m.slice(m.tokens[block->key]);
  std::string meant = in_braces(m.text, m.tokens, *block);
  if (meant.size() > kLongest || meant.find('\n') != std::string::npos)
    meant = format("{} = {{ ... }}", key);
  const Token& colon = m.tokens[block->key + 1];
  return syntax_error({m.file, colon.begin, colon.end},
                      format("the fields of `{}` stand in braces, and each is set by `=`", key))
      .help(format("write `{}`", meant));
}

}  // namespace

Found explain_item(const Mistake& mistake) {
  return first_that_fits({nested_fields, path_wanted, else_if, statement_word, label_without_colon,
                          bare_expression, lone_value_in_braces},
                         mistake);
}

}  // namespace dtp::syntax

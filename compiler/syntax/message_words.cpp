// Words and places: conditions, blocks, reserved words, what starts a declaration. Each function
// knows one shape of tokens around the failure, and what to write instead.
#include <string>

#include "base/nearest_name.h"
#include "base/out.h"
#include "syntax/mistake.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

Found conditional_without_then(const Mistake& m) {
  if (m.failure.rule != Rule::Expr) return {};
  if (m.expects(THEN)) {
    DiagnosticBuilder builder =
        syntax_error(m.span(0, 0), "an `if` in an expression goes on with `then`");
    if (m.type(0) == LBRACE || m.type(0) == COLON || m.type(0) == NL || m.type(0) == END)
      builder = syntax_error(m.span(-1, -1),
                             "an `if` in an expression goes on with `then` after its condition");
    return builder.help("write `if c then a else b`");
  }
  if (m.expects(ELSE) && !m.expects(END))
    return syntax_error(m.span(-1, -1),
                        "an `if` in an expression has an `else`: the value must exist either way")
        .help("write `if c then a else b`");
  return {};
}

// x = if a { 1 } else { 2 }: the brace was read as an amendment of `a`.
Found braces_for_then(const Mistake& m) {
  if (m.failure.rule != Rule::Field && m.failure.rule != Rule::Key && m.failure.rule != Rule::Body)
    return {};
  int depth = 0;
  int at = -1;
  for (; m.type(at) != END && m.type(at) != NL; --at) {
    if (is_closer(m.type(at))) ++depth;
    if (is_opener(m.type(at)) && --depth < 0) break;
  }
  if (m.type(at) != LBRACE) return {};
  for (--at; m.type(at) != END && m.type(at) != NL && m.type(at) != THEN; --at)
    if (m.type(at) == IF)
      return syntax_error(m.span(at, at), "an `if` in an expression has no braces")
          .help("write `if c then a else b`");
  return {};
}

Found block_habits(const Mistake& m) {
  bool statement =
      m.type(0) == IF || m.type(0) == FOR || m.type(0) == REPEAT || m.type(0) == RETURN;
  if (statement && m.failure.rule == Rule::Body && m.type(1) != ASSIGN && m.type(1) != COLON)
    return syntax_error(
               m.span(0, 0),
               format("`{}` is a statement of models and rules, and this is a record", m.words(0)))
        .help("a field may depend on a condition: `field = if c then a else b`");
  if (m.type(0) == COLON && m.expects(LBRACE))
    return syntax_error(m.span(0, 0), "a block stands in `{ }`, not after `:`")
        .help("write `{` here and `}` after its last line");
  if (m.type(0) == THEN && m.expects(LBRACE))
    return syntax_error(m.span(0, 0), "an `if` that holds statements has `{ }` and no `then`")
        .help("write `if c { ... } else { ... }`");
  if (m.type(0) == LET && m.failure.rule == Rule::Block)
    return syntax_error(m.span(0, 0), "names in a method are set without `let`")
        .help("write `name = value`");
  if (m.type(0) == LPAREN && m.type(-1) == FOR)
    return syntax_error(m.span(0, 0), "the names after `for` have no parentheses")
        .help("write `for a, b in pairs`");
  if (m.type(-1) == NAME && (m.words(-1) == "elif" || m.words(-1) == "elseif"))
    return syntax_error(m.span(-1, -1), format("`{}` is written `else if`", m.words(-1)))
        .help("write `else if`", m.span(-1, -1), "else if", true);
  return {};
}

// require a <= b, "message"
Found message_after_comma(const Mistake& m) {
  if (!is_string(m.type(-1)) || m.type(-2) != COMMA || !m.expects(ASSIGN)) return {};
  TokenType start = m.item_start();
  if (start != REQUIRE && start != EXPECT) return {};
  return syntax_error(m.span(-2, -1), "the text of a requirement follows `else`")
      .help("write `else` for the `,`", m.span(-2, -2), " else", true);
}

Found reserved_name(const Mistake& m) {
  Token t = m.at(0);
  if (t.type < AND || t.type > ESTIMATED || m.expects_expression()) return {};
  TokenType next = m.type(1);
  bool field = next == ASSIGN || next == COLON || next == LBRACE || next == DOT;
  bool in_record = m.failure.rule == Rule::Body || m.failure.rule == Rule::Key;
  if (!(field && in_record) && !m.expects(NAME) && m.failure.rule != Rule::TypeBody) return {};
  DiagnosticBuilder builder = syntax_error(
      m.span(0, 0), format("`{}` is a reserved word and cannot be a name here", m.slice(t)));
  if (field && in_record)
    builder.help(format("a field of that name is written in quotes: `\"{}\"`", m.slice(t)),
                 m.span(0, 0), format("\"{}\"", m.slice(t)), true);
  return builder;
}

// `plan b { ... }` or `model llama` inside braces.
Found declaration_inside(const Mistake& m) {
  Token t = m.at(0);
  if (t.type < DTP || t.type > PART || m.failure.token == 0 ||
      (!m.expects(NAME) && !m.expects(RBRACE)))
    return {};
  std::string_view word = m.slice(t);
  DiagnosticBuilder builder = syntax_error(
      m.span(0, 0), format("`{}` starts a declaration only at the top of a file", word));
  if (t.type == PART)
    builder = syntax_error(m.span(0, 0), "`part` stands directly in a model, not here");
  if (m.type(1) == NAME &&
      (m.type(2) == NL || m.type(2) == RBRACE || m.type(2) == COMMA || m.type(2) == DOT))
    builder.help(format("a field is set with `=`: `{} = {}`", word, m.words(1)),
                 {m.file, t.end, t.end}, " =");
  return builder;
}

constexpr std::string_view kDeclarationWords[] = {
    "dtp",  "import", "family", "dimension", "unit",    "type",   "choice", "model",
    "rule", "plan",   "let",    "fn",        "require", "expect", "allow"};

std::string_view foreign_word(std::string_view word) {
  struct Foreign {
    std::string_view theirs, ours;
  };
  static constexpr Foreign kForeign[] = {
      {"def", "fn"},       {"func", "fn"},     {"function", "fn"},    {"var", "let"},
      {"const", "let"},    {"val", "let"},     {"class", "type"},     {"struct", "type"},
      {"record", "type"},  {"enum", "choice"}, {"union", "choice"},   {"use", "import"},
      {"using", "import"}, {"from", "import"}, {"include", "import"}, {"assert", "require"},
      {"job", "plan"},     {"config", "plan"}, {"network", "model"},  {"module", "model"}};
  for (const Foreign& f : kForeign)
    if (f.theirs == word) return f.ours;
  return {};
}

Found top_of_file(const Mistake& m) {
  Token start = m.tokens.empty() ? Token{} : m.tokens[0];
  if (m.failure.rule != Rule::Declaration || m.failure.token != 0) return {};
  Span place{m.file, start.begin, start.end};
  if (start.type != NAME)
    return syntax_error(place, format("a declaration cannot start with `{}`", m.slice(start)))
        .help(
            "at the top of a file stand import, plan, model, type, choice, rule, unit, let, fn, "
            "require");
  std::string_view word = m.slice(start);
  std::string_view meant = foreign_word(word);
  if (m.type(1) == NAME || m.type(1) == STRING) {
    if (meant.empty()) meant = nearest_name(word, kDeclarationWords);
    DiagnosticBuilder builder =
        syntax_error(place, format("no declaration starts with `{}`", word));
    if (!meant.empty())
      builder.help(format("write `{}`", meant), place, std::string(meant));
    else
      builder.help(
          "at the top of a file stand import, plan, model, type, choice, rule, unit, let, fn, "
          "require");
    return builder;
  }
  return syntax_error(place, format("`{}` stands outside of every plan", word))
      .help(
          "a field goes into the braces of a plan: `plan name { ... }`; a value of the file is "
          "written `let name = ...`");
}

}  // namespace

std::optional<DiagnosticBuilder> explain_words(const Mistake& mistake) {
  return first_that_fits({top_of_file, braces_for_then, block_habits, conditional_without_then,
                          message_after_comma, declaration_inside, reserved_name},
                         mistake);
}

}  // namespace dtp::syntax

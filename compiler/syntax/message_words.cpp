// Words and places: conditions, blocks, reserved words, what starts a declaration. Each function
// knows one shape of tokens around the failure, and what to write instead.
#include <string>

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

// x = a if c else b
Found python_conditional(const Mistake& m) {
  bool after_value = m.type(-1) == NAME || m.type(-1) == NUMBER || m.type(-1) == UNIT ||
                     is_string(m.type(-1)) || m.type(-1) == RPAREN || m.type(-1) == RBRACK;
  bool same_line = m.text.substr(m.at(-1).end, m.at(0).begin - m.at(-1).end).find('\n') ==
                   std::string_view::npos;
  if (m.type(0) != IF || !after_value || !same_line) return {};
  return syntax_error(m.span(0, 0), "the condition of a value stands before it")
      .help("write `if c then a else b`");
}

Found block_habits(const Mistake& m) {
  if (Found found = python_conditional(m)) return found;
  bool statement =
      m.type(0) == IF || m.type(0) == FOR || m.type(0) == REPEAT || m.type(0) == RETURN;
  if (statement && m.failure.rule == Rule::Body && m.type(1) != ASSIGN && m.type(1) != COLON)
    return syntax_error(
               m.span(0, 0),
               format("`{}` is a statement of models and rules, and this is a record", m.words(0)))
        .help("a field may depend on a condition: `field = if c then a else b`");
  if (m.type(0) == COLON && (m.type(-1) == LBRACK || m.type(1) == RBRACK || m.type(1) == COMMA))
    return syntax_error(m.span(0, 0), "a tensor is not cut with `:`")
        .help("a part of a tensor: `first(x, axis = 1)`, `slice(x, axis, from, to)`");
  if (m.type(0) == COLON && m.expects(LBRACE))
    return syntax_error(m.span(0, 0), "a block stands in `{ }`, not after `:`")
        .help("write `{` here and `}` after its last line");
  if (m.type(0) == THEN && m.expects(LBRACE))
    return syntax_error(m.span(0, 0), "an `if` that holds statements has `{ }` and no `then`")
        .help("write `if c { ... } else { ... }`");
  if (m.type(0) == LET && m.failure.rule == Rule::Block)
    return syntax_error(m.span(0, 0), "names in a method are set without `let`")
        .help("write `name = value`", m.span(0, 0), "");
  if (m.type(0) == LPAREN && m.type(-1) == FOR)
    return syntax_error(m.span(0, 0), "the names after `for` have no parentheses")
        .help("write `for a, b in pairs`");
  if (m.type(-1) == NAME && (m.words(-1) == "elif" || m.words(-1) == "elseif"))
    return syntax_error(m.span(-1, -1), format("`{}` is written `else if`", m.words(-1)))
        .help("write `else if`", m.span(-1, -1), "else if", true);
  return {};
}

// require a <= b "message"
Found message_without_else(const Mistake& m) {
  TokenType start = m.item_start();
  bool end = m.type(1) == NL || m.type(1) == END || m.type(1) == RBRACE || m.type(1) == COMMA;
  if (!is_string(m.type(0)) || !end || (start != REQUIRE && start != EXPECT)) return {};
  return syntax_error(m.span(0, 0), "the text of a requirement follows `else`")
      .help("write `else` before it", {m.file, m.at(0).begin, m.at(0).begin}, "else ", true);
}

// In a model: `fc = Linear(n)`, `def forward(x)`, a method without `->`.
Found model_habits(const Mistake& m) {
  bool head = m.failure.rule == Rule::Method || m.failure.rule == Rule::ModelItem ||
              m.failure.rule == Rule::ModelBody || m.failure.rule == Rule::Params;
  if (!head || m.tokens.empty() || m.tokens[0].type != MODEL) return {};
  if (m.type(0) == DOT && m.words(-1) == "self" && m.type(1) == NAME && m.type(2) == ASSIGN)
    return syntax_error(m.span(-1, 1), "a model's layers are its parts, without `self`")
        .help(format("write `part {} = ...`", m.words(1)), m.span(-1, 1),
              format("part {}", m.words(1)));
  if (m.type(0) == ASSIGN && m.type(-1) == NAME && m.expects(LPAREN))
    return syntax_error(m.span(-1, -1), format("`{}` needs a word before it", m.words(-1)))
        .help(format("what holds parameters is a part, anything else a `let`: `part {} = ...`",
                     m.words(-1)),
              {m.file, m.at(-1).begin, m.at(-1).begin}, "part ");
  if (m.type(0) == NAME && (m.words(-1) == "def" || m.words(-1) == "fn"))
    return syntax_error(m.span(-1, -1), format("a method has no `{}` before its name", m.words(-1)))
        .help("write `forward(x: [B, T, D]) -> [B, T, D] { ... }`");
  if (m.type(0) == LBRACE && m.type(-1) == RPAREN)
    return syntax_error(m.span(-1, -1), "a method says what it gives: `->` and a shape")
        .help("write `forward(x: [B, T, D]) -> [B, T, D] { ... }`");
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
  if (t.type == PLAN)
    builder.help(
        "close the braces of the plan before it; a plan that differs in some fields is written "
        "`plan q = p { field = value }`");
  if (t.type == PART)
    builder = syntax_error(m.span(0, 0), "`part` stands directly in a model, not here");
  if (m.type(1) == NAME &&
      (m.type(2) == NL || m.type(2) == RBRACE || m.type(2) == COMMA || m.type(2) == DOT))
    builder.help(format("a field is set with `=`: `{} = {}`", word, m.words(1)),
                 {m.file, t.end, t.end}, " =");
  return builder;
}

}  // namespace

std::optional<DiagnosticBuilder> explain_words(const Mistake& mistake) {
  return first_that_fits(
      {braces_for_then, block_habits, conditional_without_then, message_after_comma,
       message_without_else, model_habits, declaration_inside, reserved_name},
      mistake);
}

}  // namespace dtp::syntax

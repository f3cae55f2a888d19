// Signs: operators, units, what stands between a name and its value. Each function knows one shape
// of tokens around the failure, and what to write instead.
#include <algorithm>
#include <array>
#include <string>

#include "base/nearest_name.h"
#include "base/out.h"
#include "syntax/keywords.h"
#include "syntax/mistake.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

// `8..64 step 8`, `1 b = 2`, `4 x 3`: the word after a number is its unit.
Found word_became_unit(const Mistake& m) {
  int unit = m.type(-1) == UNIT ? -1 : 0;
  if (unit == 0 || m.type(-2) != NUMBER) return {};
  std::string quantity(m.text.substr(m.at(-2).begin, m.at(-1).end - m.at(-2).begin));
  if (m.type(0) == NUMBER) {
    bool in_range = m.type(-3) == RANGE || m.type(-3) == RANGE_EXCLUSIVE;
    DiagnosticBuilder builder = syntax_error(
        m.span(-1, 0),
        format("the word after a number is its unit: `{}` is a quantity, and `{}` follows it",
               quantity, m.words(0)));
    if (in_range)
      builder.help(format("a stepped range is written `{}{}{} by {}`", m.words(-4), m.words(-3),
                          m.words(-2), m.words(0)),
                   m.span(-1, -1), "by", true);
    else if (m.words(-1) == "x")
      builder.help("to multiply, write `*`", m.span(-1, -1), "*");
    return builder;
  }
  if (m.type(0) == NAME && m.words(-1) == "x")
    return syntax_error(m.span(-1, -1), "`x` after a number is read as a unit")
        .help("to multiply, write `*`", m.span(-1, -1), "*");
  if (m.type(0) == NAME)
    return syntax_error(m.span(0, 0),
                        format("the word after a number is its unit: `{}` is a quantity, and `{}` "
                               "follows it",
                               quantity, m.words(0)));
  if (m.type(0) != ASSIGN && m.type(0) != COLON && m.type(0) != LBRACE) return {};
  return syntax_error(m.span(-1, -1),
                      format("`{}` is read as a quantity, so no field starts here", quantity))
      .help(format("put `,` or a new line before `{}`", m.words(-1)),
            {m.file, m.at(-2).end, m.at(-2).end}, ",");
}

bool is_operator(TokenType type) {
  switch (type) {
    case AND:
    case OR:
    case NOT:
    case IN:
    case IS:
    case BY:
    case IMPLIES:
    case OTHERWISE:
    case CARET:
    case STAR:
    case SLASH:
    case MODULO:
    case PLUS:
    case MINUS:
    case RANGE:
    case RANGE_EXCLUSIVE:
    case LESS:
    case LESS_EQUAL:
    case GREATER:
    case GREATER_EQUAL:
    case EQUAL:
    case NOT_EQUAL:
    case PIPE: return true;
    default: return false;
  }
}

Found loose_prefix(const Mistake& m) {
  TokenType type = m.type(0);
  if ((type != CHOOSE && type != EACH && type != IF) || !is_operator(m.type(-1))) return {};
  std::string_view word = m.words(0);
  std::string inner(m.text.substr(m.at(0).begin, m.tokens[m.piece.end - 1].end - m.at(0).begin));
  DiagnosticBuilder builder(
      Kind::LoosePrefix, m.span(0, 0),
      format("`{}` takes the rest of the expression, so after `{}` it needs parentheses", word,
             m.words(-1)));
  if (inner.size() < 80 && inner.find('\n') == std::string_view::npos)
    builder.help(format("write `({})`", inner),
                 {m.file, m.at(0).begin, m.tokens[m.piece.end - 1].end}, '(' + inner + ')', true);
  return builder;
}

// repeat Depth { n = 3 } { ... }: the head ended at the first brace.
Found brace_in_head(const Mistake& m) {
  if (m.type(0) != LBRACE || m.type(-1) != RBRACE) return {};
  Token start = m.item_start_token();
  if (start.type != REPEAT && start.type != FOR && start.type != IF) return {};
  int depth = 0;
  int open = -1;
  for (;; --open) {
    if (is_closer(m.type(open))) ++depth;
    if (is_opener(m.type(open)) && --depth == 0) break;
    if (m.type(open) == END) return {};
  }
  std::string_view word = m.slice(start);
  DiagnosticBuilder builder = syntax_error(
      m.span(0, 0),
      format("the head of `{}` ended at the first `{{`, and a second block follows", word));
  builder.label(m.span(open, open), format("the block of `{}` starts here", word));
  // From the word before the brace: what is amended in the head.
  int first = open - 1;
  while (m.type(first - 1) == DOT) first -= 2;
  std::string inner(m.text.substr(m.at(first).begin, m.at(-1).end - m.at(first).begin));
  builder.help(format("braces in a head need parentheses: `{} ({}) {{`", word, inner),
               m.span(first, -1), '(' + inner + ')');
  return builder;
}

Found one_equals(const Mistake& m) {
  if (m.type(0) != EQUAL || !m.expects(ASSIGN)) return {};
  return syntax_error(m.span(0, 0), "`==` compares; a value is set with one `=`")
      .help("write `=`", m.span(0, 0), "=", true);
}

bool arithmetic(TokenType type) {
  return type == PLUS || type == MINUS || type == STAR || type == SLASH;
}

// += and its kin; the sign itself is at `sign`.
DiagnosticBuilder no_update(const Mistake& m, int sign) {
  return syntax_error(m.span(sign, sign + 1),
                      format("there is no `{}=`: a value is set once", m.words(sign)))
      .help(format("write `{0} = {0} {1} ...`", m.words(sign - 1), m.words(sign)));
}

Found assignment_signs(const Mistake& m) {
  TokenType type = m.type(0);
  TokenType before = m.type(-1);
  if (arithmetic(type) && m.type(1) == ASSIGN && m.touch(0)) return no_update(m, 0);
  if (m.failure.token == 0 || !m.touch(-1)) return {};
  Span both = m.span(-1, 0);
  if (before == ASSIGN && (type == LESS || type == GREATER)) {
    std::string fixed = format("{}=", m.words(0));
    return syntax_error(both, format("`={}` is written `{}`", m.words(0), fixed))
        .help(format("write `{}`", fixed), both, fixed, true);
  }
  if (type == ASSIGN && arithmetic(before)) return no_update(m, -1);
  if (type == ASSIGN && before == COLON)
    return syntax_error(both, "`:=` is written `=`").help("write `=`", both, "=", true);
  if (type == ASSIGN && (before == EQUAL || before == NOT_EQUAL))
    return syntax_error(both, format("`{0}=` is written `{0}`", m.words(-1)))
        .help(format("write `{}`", m.words(-1)), both, std::string(m.words(-1)), true);
  if (type == GREATER && before == ASSIGN)
    return syntax_error(both, "`=>` has no meaning in a plan")
        .help("a map is written `key: value`, a comparison `>=`");
  if (type == STAR && before == STAR)
    return syntax_error(both, "a power is written `^`, not `**`")
        .help("write `^`", both, "^", true);
  return {};
}

// require a = b
Found two_equals(const Mistake& m) {
  if (m.type(0) != ASSIGN || m.expects(ASSIGN)) return {};
  if (m.type(1) == LESS && m.touch(0)) {
    std::string fixed = format("{}=", m.words(1));
    return syntax_error(m.span(0, 1), format("`={}` is written `{}`", m.words(1), fixed))
        .help(format("write `{}`", fixed), m.span(0, 1), fixed, true);
  }
  TokenType start = m.item_start();
  bool condition =
      start == REQUIRE || start == EXPECT || start == IF || start == LET || start == RETURN;
  if (!condition) return {};
  if (m.type(-1) == LET)
    return syntax_error(m.span(0, 0), "`let` needs a name before `=`")
        .help("write `let name = ...`");
  if (start == LET || start == RETURN)
    return syntax_error(m.span(0, 0), "a second `=` in one item")
        .help("to compare, write `==`", m.span(0, 0), "==");
  return syntax_error(m.span(0, 0), "`=` sets a value; to compare, write `==`")
      .help("write `==`", m.span(0, 0), "==", true);
}

// x = 3 +
// y = 4
Found continued_line(const Mistake& m) {
  bool item = m.type(0) == ASSIGN || m.type(0) == COLON || m.type(0) == LBRACE;
  if (!item || m.type(-1) != NAME || (!is_operator(m.type(-2)) && m.type(-2) != ASSIGN)) return {};
  std::string_view between = m.text.substr(m.at(-2).end, m.at(-1).begin - m.at(-2).end);
  if (between.find('\n') == std::string_view::npos) return {};
  return syntax_error(m.span(-2, -2), format("expected an expression after `{}`", m.words(-2)))
      .label(m.span(-1, -1), "so this line was read as its continuation");
}

// `requires x`, `assert x`, `set x`: the word that starts such an item.
std::string_view item_word(std::string_view word) {
  struct Foreign {
    std::string_view theirs, ours;
  };
  static constexpr Foreign kForeign[] = {{"requires", "require"},
                                         {"required", "require"},
                                         {"assert", "require"},
                                         {"ensure", "require"},
                                         {"must", "require"},
                                         {"constraint", "require"},
                                         {"check", "require"},
                                         {"expects", "expect"},
                                         {"expected", "expect"},
                                         {"should", "expect"},
                                         {"warn", "expect"},
                                         {"prefer", "expect"},
                                         {"def", "fn"},
                                         {"var", "let"},
                                         {"const", "let"},
                                         {"minimise", "minimize"},
                                         {"maximise", "maximize"},
                                         {"ignore", "allow"}};
  for (const Foreign& f : kForeign)
    if (f.theirs == word) return f.ours;
  static constexpr std::string_view kWords[] = {"require", "expect", "minimize", "maximize"};
  return nearest_name(word, kWords);
}

// hardware gpus(8)   x Int
Found missing_sign(const Mistake& m) {
  bool starts = m.type(0) == NAME || m.type(0) == NUMBER || is_string(m.type(0));
  Span between{m.file, m.at(-1).end, m.at(-1).end};
  if (starts && is_string(m.type(-1)) && m.failure.rule == Rule::Field)
    return syntax_error(m.span(0, 0), format("expected `:` after the key {}", m.words(-1)))
        .help("an entry of a map is written `\"key\": value`", between, ":");
  if (!starts || m.type(-1) != NAME) return {};
  if (std::string_view meant = item_word(m.words(-1));
      m.failure.rule == Rule::Field && !meant.empty())
    return syntax_error(m.span(-1, -1), format("no item starts with `{}`", m.words(-1)))
        .help(format("write `{}`", meant), m.span(-1, -1), std::string(meant));
  if (m.failure.rule == Rule::Field)
    return syntax_error(m.span(0, 0),
                        format("expected `=` after `{}`, found `{}`", m.words(-1), m.words(0)))
        .help(format("a field is set with `=`: `{} = {} ...`", m.words(-1), m.words(0)), between,
              " =");
  if (m.words(-1) == "def" || m.words(-1) == "fn") return {};  // a method: explain_words knows
  bool typed = m.failure.rule == Rule::TypeBody || m.failure.rule == Rule::Params;
  if (typed && m.type(0) == NAME && m.type(-2) != COLON)
    return syntax_error(m.span(0, 0), format("expected `:` between `{}` and its type", m.words(-1)))
        .help(format("write `{}: {}`", m.words(-1), m.words(0)), between, ":");
  return {};
}

Found semicolon(const Mistake& m) {
  if (m.type(0) != SEMICOLON) return {};
  return syntax_error(m.span(0, 0), "`;` is not needed: fields end at the line")
      .help("take it away; two fields on one line have `,` between them", m.span(0, 0), "",
            m.type(1) == NL || m.type(1) == END);
}

Found not_in(const Mistake& m) {
  if (m.type(0) != NOT || m.type(1) != IN) return {};
  return syntax_error(m.span(0, 1), "`not in` is written with `not` in front")
      .help(format("write `not ({} in ...)`", m.words(-1)));
}

// args { --lr: 3 }
Found quoted_key(const Mistake& m) {
  bool item = m.type(-1) == LBRACE || m.type(-1) == COMMA || m.type(-1) == NL;
  if (m.type(0) != MINUS || m.failure.rule != Rule::Body || !item) return {};
  int last = 0;
  while ((m.type(last + 1) == MINUS || m.type(last + 1) == NAME) && m.touch(last)) ++last;
  std::string key(m.text.substr(m.at(0).begin, m.at(last).end - m.at(0).begin));
  return syntax_error(m.span(0, last), format("`{}` is no name", key))
      .help(format("a key that is no name stands in quotes: `\"{}\"`", key), m.span(0, last),
            format("\"{}\"", key));
}

// --lr: 3 on a line that follows another: it was read as a subtraction.
Found flag_without_quotes(const Mistake& m) {
  if (m.type(0) != COLON || m.type(-1) != NAME) return {};
  int first = -1;
  while ((m.type(first - 1) == MINUS || m.type(first - 1) == NAME) && m.touch(first - 1)) --first;
  if (first == -1 || m.type(first) != MINUS || !m.line_between(first - 1)) return {};
  std::string flag(m.text.substr(m.at(first).begin, m.at(-1).end - m.at(first).begin));
  return syntax_error(m.span(first, -1), format("`{}` is no name", flag))
      .help(format("a key that is no name stands in quotes: `\"{}\"`", flag), m.span(first, -1),
            format("\"{}\"", flag));
}

// betas = (0.9, 0.95)
Found list_in_parentheses(const Mistake& m) {
  if (m.type(0) != COMMA || !m.expects(RPAREN) || m.expects(NAME)) return {};
  return syntax_error(m.span(0, 0), "parentheses hold one value, and `,` starts a second")
      .help("a list stands in square brackets: `[a, b]`");
}

}  // namespace

std::optional<DiagnosticBuilder> explain_signs(const Mistake& mistake) {
  return first_that_fits({continued_line, missing_sign, word_became_unit, loose_prefix,
                          brace_in_head, one_equals, assignment_signs, two_equals, semicolon,
                          not_in, quoted_key, flag_without_quotes, list_in_parentheses},
                         mistake);
}

}  // namespace dtp::syntax

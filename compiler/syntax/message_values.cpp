// Values as other languages write them: `a ? b : c`, `n++`, `lambda x: x`, `f"{x}"`, `xs[0:2]`.
// Each function knows one shape of tokens around the failure, and what to write instead.
#include <algorithm>
#include <string>

#include "base/out.h"
#include "syntax/mistake.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

bool ends_value(TokenType type) {
  return type == NAME || type == NUMBER || type == UNIT || type == PERCENT || is_string(type) ||
         type == RPAREN || type == RBRACK || type == TRUE || type == FALSE;
}

// .5        5.        1.000.000
Found point(const Mistake& m) {
  if (m.type(0) == DOT && m.type(1) == NUMBER && m.expects_expression() && m.touch(0))
    return syntax_error(m.span(0, 1), "a number starts with a digit")
        .help(format("write `0.{}`", m.words(1)), m.span(0, 0), "0.", true);
  if (m.type(-1) != DOT || m.type(-2) != NUMBER) return {};
  if (m.type(0) != NUMBER)
    return syntax_error(m.span(-2, -1), "a number has digits after its point")
        .help(format("write `{0}.0` or `{0}`", m.words(-2)));
  std::string whole(m.text.substr(m.at(-2).begin, m.at(0).end - m.at(-2).begin));
  std::string grouped = whole;
  for (char& c : grouped)
    if (c == '.') c = '_';
  return syntax_error(m.span(-2, 0), format("`{}` has more than one point", whole))
      .help(format("digits are grouped with `_`: `{}`", grouped), m.span(-2, 0), grouped);
}

// aws.g6e.48xlarge: what the maker's name has points in.
Found number_in_a_path(const Mistake& m) {
  bool path = m.type(-1) == DOT && m.type(-2) == NAME && m.touch(-2) && m.touch(-1);
  if (m.type(0) != NUMBER || !path) return {};
  int last = 0;
  while ((m.type(last + 1) == NAME || m.type(last + 1) == UNIT || m.type(last + 1) == NUMBER) &&
         m.touch(last))
    ++last;
  std::string meant(m.text.substr(m.at(-2).begin, m.at(last).end - m.at(-2).begin));
  std::replace(meant.begin(), meant.end(), '.', '_');
  return syntax_error(m.span(-2, last), "a name begins with a letter, and has no point in it")
      .help(format("names of the library have `_` there: `{}`", meant), m.span(-2, last), meant);
}

// 85 % * gpu.memory
Found share_with_a_space(const Mistake& m) {
  if (m.type(-1) != MODULO || m.type(-2) != NUMBER || m.touch(-2)) return {};
  return syntax_error(m.span(-1, -1), "`%` after a space is the rest of a division")
      .help(format("a share is written without the space: `{}%`", m.words(-2)), m.span(-2, -1),
            format("{}%", m.words(-2)));
}

// a ? b : c        a ?: b        a?.b
Found question(const Mistake& m) {
  if (m.type(0) != QUESTION || !ends_value(m.type(-1))) return {};
  bool joined = m.touch(0) && (m.type(1) == COLON || m.type(1) == DOT);
  if (joined)
    return syntax_error(m.span(0, 1), format("there is no `?{}`", m.words(1)))
        .help(
            "a value where there is none is given by `x ?? y`; what is absent is asked for by "
            "`x is none`");
  return syntax_error(m.span(0, 0), "a choice between two values is written in words")
      .help("write `if c then a else b`");
}

// n++        n <> 5        a::b        0...5        -- a comment
Found doubled_sign(const Mistake& m) {
  TokenType now = m.type(0), before = m.type(-1);
  bool joined = m.failure.token > 0 && m.touch(-1);
  if (joined && now == GREATER && before == LESS)
    return syntax_error(m.span(-1, 0), "`<>` is written `!=`")
        .help("write `!=`", m.span(-1, 0), "!=", true);
  if (joined && now == PLUS && before == PLUS)
    return syntax_error(m.span(-1, 0), "there is no `++`: a value is set once")
        .help(format("write `{} + 1`", ends_value(m.type(-2)) ? m.words(-2) : "n"));
  if (now == COLON && m.type(1) == COLON && m.touch(0))
    return syntax_error(m.span(0, 1), "`::` is written `.`")
        .help("write `.`", m.span(0, 1), ".", true);
  if (joined && now == DOT && (before == RANGE || before == RANGE_EXCLUSIVE))
    return syntax_error(m.span(-1, 0), "`...` is written `..`")
        .help("`a..b` ends with b, `a..<b` before it", m.span(-1, 0), "..");
  int first = now == MINUS && m.type(1) == MINUS && m.touch(0) ? 0
              : now == MINUS && before == MINUS && joined      ? -1
                                                               : 1;
  if (first > 0) return {};
  uint32_t line = m.at(first).begin;
  while (line > 0 && (m.text[line - 1] == ' ' || m.text[line - 1] == '\t')) --line;
  if (line > 0 && m.text[line - 1] != '\n') return {};
  return syntax_error(m.span(first, first + 1), "a comment starts with `//`, not `--`")
      .help("write `//`", m.span(first, first + 1), "//", true);
}

// lambda x: x        x -> x + 1        x => x + 1
Found nameless_function(const Mistake& m) {
  constexpr std::string_view kAdvice =
      "a function has a name: `fn f(x) = ...`; a list is made by `[f(x) for x in xs]`";
  if (m.type(-1) == NAME && m.words(-1) == "lambda")
    return syntax_error(m.span(-1, -1), "there is no `lambda`").help(std::string(kAdvice));
  if (m.type(0) == ARROW && ends_value(m.type(-1)) && m.failure.rule != Rule::Method)
    return syntax_error(m.span(0, 0), "`->` says in a head what a function gives")
        .help(std::string(kAdvice));
  bool fat = m.type(0) == ASSIGN && m.type(1) == GREATER && m.touch(0) && !m.expects(ASSIGN);
  if (!fat) return {};
  return syntax_error(m.span(0, 1), "`=>` has no meaning in a plan")
      .help("a comparison is written `>=`, a conclusion `implies`, a function `fn f(x) = ...`");
}

// f"{x}"        "a" "b"
Found strings(const Mistake& m) {
  if (!is_string(m.type(0))) return {};
  if (m.type(-1) == NAME && m.touch(-1))
    return syntax_error(m.span(-1, -1), format("a string has no `{}` before it", m.words(-1)))
        .help("braces in a string hold values as it stands: `\"{n} steps\"`", m.span(-1, -1), "",
              m.words(-1) == "f");
  bool listed = m.failure.rule == Rule::List || m.failure.rule == Rule::Call;
  if (is_string(m.type(-1)) && m.failure.rule != Rule::Field && !listed)
    return syntax_error(m.span(0, 0), "two strings follow each other")
        .help("texts are joined with `+`", {m.file, m.at(-1).end, m.at(-1).end}, " +");
  return {};
}

// p AND q
Found word_in_capitals(const Mistake& m) {
  if (m.type(0) != NAME || !ends_value(m.type(-1))) return {};
  struct Word {
    std::string_view theirs, ours;
  };
  static constexpr Word kWords[] = {{"AND", "and"}, {"And", "and"}, {"OR", "or"},    {"Or", "or"},
                                    {"IN", "in"},   {"IS", "is"},   {"mod", "%"},    {"MOD", "%"},
                                    {"xor", "!="},  {"eq", "=="},   {"equals", "=="}};
  for (const Word& w : kWords)
    if (w.theirs == m.words(0))
      return syntax_error(m.span(0, 0), format("`{}` is written `{}`", w.theirs, w.ours))
          .help(format("write `{}`", w.ours), m.span(0, 0), std::string(w.ours), true);
  return {};
}

// (n + 1)n
Found product_without_sign(const Mistake& m) {
  bool factor = m.type(0) == NAME || m.type(0) == NUMBER;
  if (!factor || m.type(-1) != RPAREN || !m.touch(-1)) return {};
  return syntax_error(m.span(0, 0), format("`{}` follows a value", m.words(0)))
      .help("to multiply, write `*`", {m.file, m.at(-1).end, m.at(-1).end}, " * ");
}

// xs[0:2]        [*xs, 4]        [for x in xs: x]        f(, y)
Found lists(const Mistake& m) {
  if (m.type(0) == COLON && m.failure.rule == Rule::Index)
    return syntax_error(m.span(0, 0), "nothing is cut with `:`")
        .help("a part of a list is `xs[0..<2]`, of a tensor `slice(x, axis, from, to)`");
  bool item = m.type(-1) == LBRACK || m.type(-1) == COMMA || m.type(-1) == LPAREN;
  if (!item) return {};
  if (m.type(0) == STAR)
    return syntax_error(m.span(0, 0), "`*` multiplies, and nothing stands before it")
        .help("lists are joined with `+`: `xs + [4]`");
  if (m.type(0) == FOR && m.type(-1) != COMMA)
    return syntax_error(m.span(0, 0), "what is collected stands before `for`")
        .help("write `[f(x) for x in xs]`");
  if (m.type(0) == COMMA && m.type(-1) == LPAREN)
    return syntax_error(m.span(0, 0), "an argument is missing before `,`");
  return {};
}

// "{x:.2f}"
Found format_of_a_hole(const Mistake& m) {
  if (m.failure.rule != Rule::OneHole || m.type(-1) != COLON) return {};
  return syntax_error(m.span(0, 0), "after `:` stands the unit in which the value is said")
      .help("as in `{memory.peak:GiB}`; how many digits are printed is not chosen");
}

}  // namespace

Found explain_value(const Mistake& mistake) {
  return first_that_fits(
      {point, number_in_a_path, share_with_a_space, question, doubled_sign, nameless_function,
       strings, word_in_capitals, product_without_sign, lists, format_of_a_hole},
      mistake);
}

}  // namespace dtp::syntax

// Heads of declarations: what stands between their first word and their braces or their value. Each
// function knows one shape of tokens around the failure, and what to write instead.
#include <algorithm>
#include <string>

#include "base/out.h"
#include "syntax/mistake.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

TokenType first_type(const Mistake& m) { return m.tokens.empty() ? END : m.tokens[0].type; }
std::string_view name_of(const Mistake& m) {
  return m.tokens.size() > 1 && m.tokens[1].type == NAME ? m.slice(m.tokens[1]) : "name";
}
bool ends_line(TokenType type) { return type == NL || type == END; }

// let batch-size = 4, plan my-run { ... }
Found dashed_name(const Mistake& m) {
  if (m.failure.token != 2 || m.type(0) != MINUS || m.type(-1) != NAME) return {};
  TokenType head = first_type(m);
  if (head != LET && head != PLAN && head != TYPE && head != MODEL && head != CHOICE &&
      head != RULE)
    return {};
  int last = 0;
  while ((m.type(last + 1) == NAME || m.type(last + 1) == MINUS || m.type(last + 1) == NUMBER) &&
         m.touch(last))
    ++last;
  std::string name(m.text.substr(m.at(-1).begin, m.at(last).end - m.at(-1).begin));
  std::string fixed = name;
  std::replace(fixed.begin(), fixed.end(), '-', '_');
  return syntax_error(m.span(-1, last), format("`{}` is no name", name))
      .help(format("names have letters, digits and `_`: `{}`", fixed), m.span(-1, last), fixed);
}

// let a, b = 5        let a = 5, b = 6
Found several_lets(const Mistake& m) {
  if (first_type(m) != LET || m.type(0) != COMMA) return {};
  if (m.failure.token == 2)
    return syntax_error(m.span(0, 0), "one `let` gives one name its value")
        .help("write a `let` for each, on a line of its own");
  if (m.failure.rule != Rule::OneDeclaration) return {};
  DiagnosticBuilder builder = syntax_error(m.span(0, 0), "a declaration ends with its line");
  if (m.type(1) == NAME)
    builder.help(format("write a second one on the next line: `let {} = ...`", m.words(1)));
  return builder;
}

// fn f x = x        fn f(x) { return x }        fn f(x): Int = x
Found function_head(const Mistake& m) {
  if (first_type(m) != FN) return {};
  std::string_view name = name_of(m);
  if (m.failure.token == 2)
    return syntax_error(m.span(0, 0),
                        format("the parameters of `{}` stand in parentheses: expected `(`", name))
        .help(format("write `fn {}(x) = ...`", name));
  if (m.type(-1) != RPAREN) return {};
  if (m.type(0) == LBRACE)
    return syntax_error(m.span(0, 0), "a function is one expression after `=`, without braces")
        .help(format("write `fn {}(...) = ...`", name));
  if (m.type(0) == COLON)
    return syntax_error(m.span(0, 0), "the type of what a function gives follows `->`")
        .help("write `->`", m.span(0, 0), " ->", true);
  return {};
}

// type Cat = { ... }        choice Color = red        unit box: Memory = 5 GB
Found type_head(const Mistake& m) {
  if (first_type(m) == TYPE && m.type(0) == LBRACE && m.type(-1) == ASSIGN)
    return syntax_error(m.span(0, 0), "the fields of a type follow its name, without `=`")
        .help(format("write `type {} {{ ... }}`", name_of(m)));
  if (first_type(m) == CHOICE && m.type(0) == ASSIGN && m.failure.token == 2)
    return syntax_error(m.span(0, 0), "the cases of a choice stand in braces, without `=`")
        .help(format("write `choice {} {{ one, other }}`", name_of(m)));
  if (first_type(m) == DEFINE_UNIT && m.type(0) == ASSIGN)
    return syntax_error(m.span(0, 0),
                        "a unit starts a scale of its own after `:`, or is so many of another "
                        "after `=`")
        .help(format("write one of the two, such as `unit {} = ...`", name_of(m)));
  return {};
}

// rule r { ... }        rule r(p: Plan) = ...
Found rule_head(const Mistake& m) {
  if (first_type(m) != RULE) return {};
  if (m.failure.token == 2 && m.type(0) == LBRACE)
    return syntax_error(m.span(0, 0), "a rule says in parentheses what it looks at")
        .help(format("write `rule {}(p: Plan) {{ ... }}`", name_of(m)));
  if (m.type(0) == ASSIGN && m.type(-1) == RPAREN)
    return syntax_error(m.span(0, 0), "what a rule asks stands in braces")
        .help(format("write `rule {}(p: Plan) {{ require ... }}`", name_of(m)));
  return {};
}

// model M(n: Int)
//   forward(...)
// Or the brace alone on the next line, in a body as well.
Found brace_on_the_next_line(const Mistake& m) {
  TokenType head = first_type(m);
  bool below = m.type(0) == NL && m.type(1) == LBRACE;
  if ((head != MODEL && head != RULE && !below) || !ends_line(m.type(0)) || !m.expects(LBRACE))
    return {};
  return syntax_error(m.span(-1, -1), format("expected `{{` after `{}`", m.words(-1)))
      .help("the brace stands on the same line");
}

// plan p = base begin ...
Found plan_without_braces(const Mistake& m) {
  if (first_type(m) != PLAN || m.type(0) != NAME || m.type(-1) != NAME) return {};
  if (m.failure.token < 4 || m.failure.rule != Rule::OneDeclaration) return {};
  return syntax_error(m.span(0, 0),
                      format("expected `{{` or the end of the line, found `{}`", m.words(0)))
      .help(format("the fields of a plan stand in braces: `plan {} = {} {{ ... }}`", name_of(m),
                   m.words(-1)));
}

// part fc: Linear(n)        layer fc = Linear(n)
Found part_head(const Mistake& m) {
  if (first_type(m) != MODEL) return {};
  if (m.type(0) == COLON && m.type(-2) == PART)
    return syntax_error(m.span(0, 0), "a part is set with `=`")
        .help(format("write `part {} = ...`", m.words(-1)), m.span(0, 0), " =", true);
  bool two_words = m.type(0) == NAME && m.type(-1) == NAME && m.type(1) == ASSIGN;
  if (two_words && m.expects(LPAREN))
    return syntax_error(m.span(-1, -1), format("no item of a model starts with `{}`", m.words(-1)))
        .help(format("what holds parameters is a part, anything else a `let`: `part {} = ...`",
                     m.words(0)),
              m.span(-1, -1), "part");
  return {};
}

// forward(x: [B, n]) -> B, n { ... }
Found bare_shape(const Mistake& m) {
  if (first_type(m) != MODEL || m.type(0) != COMMA || m.type(-2) != ARROW) return {};
  int last = 0;
  while (m.type(last + 1) == NAME || m.type(last + 1) == COMMA || m.type(last + 1) == NUMBER)
    ++last;
  std::string shape(m.text.substr(m.at(-1).begin, m.at(last).end - m.at(-1).begin));
  return syntax_error(m.span(-1, last), "a shape stands in square brackets")
      .help(format("write `[{}]`", shape), m.span(-1, last), '[' + shape + ']');
}

// repeat 4 checkpointed as blocks { ... }
Found loop_head(const Mistake& m) {
  if (m.type(0) != AS || m.type(-1) != CHECKPOINTED) return {};
  return syntax_error(m.span(0, 0), "`as` stands before `checkpointed`")
      .help(format("write `as {} checkpointed`", m.type(1) == NAME ? m.words(1) : "name"));
}

}  // namespace

Found explain_head(const Mistake& mistake) {
  return first_that_fits(
      {dashed_name, several_lets, function_head, type_head, rule_head, brace_on_the_next_line,
       plan_without_braces, part_head, bare_shape, loop_head},
      mistake);
}

}  // namespace dtp::syntax

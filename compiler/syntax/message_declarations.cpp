// The top of a file: what starts a declaration, and how its head is written.
#include <string>

#include "base/nearest_name.h"
#include "base/out.h"
#include "syntax/mistake.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

constexpr std::string_view kDeclarationWords[] = {
    "dtp",  "import", "family", "dimension", "unit",    "type",   "choice", "model",
    "rule", "plan",   "let",    "fn",        "require", "expect", "allow"};

constexpr std::string_view kAtTheTop =
    "at the top of a file stand import, plan, model, type, choice, rule, unit, let, fn, require";

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

Token first_token(const Mistake& m) { return m.tokens.empty() ? Token{} : m.tokens[0]; }
TokenType type_of(const Mistake& m, size_t i) {
  return i < m.tokens.size() ? m.tokens[i].type : END;
}

DiagnosticBuilder outside_of_plans(const Mistake& m, Token start) {
  return syntax_error({m.file, start.begin, start.end},
                      format("`{}` stands outside of every plan", m.slice(start)))
      .help(
          "a field goes into the braces of a plan: `plan name { ... }`; a value of the file is "
          "written `let name = ...`");
}

// from std.hardware import nvidia
Found from_import(const Mistake& m) {
  size_t at = 2;
  while (type_of(m, at) == DOT && type_of(m, at + 1) == NAME) at += 2;
  bool word = type_of(m, at) == NAME && m.slice(m.tokens[at]) == "import";
  if (!word || type_of(m, at + 1) != NAME) return {};
  Span path{m.file, m.tokens[1].begin, m.tokens[at - 1].end};
  std::string fixed = format("import {}.{}", m.text.substr(path.begin, path.end - path.begin),
                             m.slice(m.tokens[at + 1]));
  Span whole{m.file, m.tokens[0].begin, m.tokens[at + 1].end};
  if (m.slice(m.tokens[1]) != "std")
    return syntax_error({m.file, m.tokens[0].begin, m.tokens[0].end},
                        "no declaration starts with `from`")
        .help("files of the library are imported whole: `import std.models.dit`");
  return syntax_error({m.file, m.tokens[0].begin, m.tokens[0].end},
                      "no declaration starts with `from`")
      .help(format("write `{}`", fixed), whole, fixed);
}

Found top_of_file(const Mistake& m) {
  Token start = first_token(m);
  if (m.failure.rule != Rule::Declaration || m.failure.token != 0) return {};
  Span place{m.file, start.begin, start.end};
  if (start.type == LBRACE)
    return syntax_error(place, "a declaration cannot start with `{`")
        .help("a plan's braces follow its name: `plan name { field = value }`");
  if (start.type != NAME)
    return syntax_error(place, format("a declaration cannot start with `{}`", m.slice(start)))
        .help(std::string(kAtTheTop));
  std::string_view word = m.slice(start);
  std::string_view meant = foreign_word(word);
  if (m.type(1) != NAME && m.type(1) != STRING) return outside_of_plans(m, start);
  if (word == "from")
    if (Found found = from_import(m)) return found;
  if (meant.empty()) meant = nearest_name(word, kDeclarationWords);
  DiagnosticBuilder builder = syntax_error(place, format("no declaration starts with `{}`", word));
  if (meant.empty()) return builder.help(std::string(kAtTheTop));
  return builder.help(format("write `{}`", meant), place, std::string(meant));
}

// model = DiT(): a field at the top of the file whose name starts a declaration elsewhere.
Found field_at_the_top(const Mistake& m) {
  Token start = first_token(m);
  bool word = start.type >= DTP && start.type <= PART;
  if (!word || m.failure.token != 1 || (m.type(0) != ASSIGN && m.type(0) != COLON)) return {};
  if (start.type != MODEL)
    return syntax_error(m.span(0, 0),
                        format("`{}` needs a name before `{}`", m.slice(start), m.words(0)))
        .help(format("write `{} name {} ...`", m.slice(start), m.words(0)));
  return outside_of_plans(m, start);
}

// plan "my run" { ... }, plan q extends p { ... }
Found plan_name(const Mistake& m) {
  Token head = first_token(m);
  bool named = head.type == PLAN || head.type == MODEL || head.type == TYPE ||
               head.type == CHOICE || head.type == RULE;
  if (named && m.failure.token == 1 && m.type(0) == LBRACE)
    return syntax_error(m.span(0, 0), format("a {} has a name before its braces", m.slice(head)))
        .help(format("write `{} my_{} {{ ... }}`", m.slice(head),
                     head.type == PLAN ? "run" : m.slice(head)));
  if (head.type != PLAN) return {};
  if (m.failure.token == 1 && is_string(m.type(0)))
    return syntax_error(m.span(0, 0), "a plan's name is one word without quotes")
        .help("names have letters, digits and `_`: `plan my_run { ... }`");
  if (m.failure.token != 2) return {};
  if (m.type(0) == COLON && (m.type(1) == NL || m.type(1) == END || m.line_between(0)))
    return syntax_error(m.span(0, 0), "a plan's fields stand in `{ }`, not after `:`")
        .help(format("write `plan {} {{`, and `}}` after its last line", m.words(-1)), m.span(0, 0),
              " {");
  // plan q extends p { ... }, plan q: p { ... }, plan q(p) { ... }
  bool heir = m.type(0) == COLON || m.words(0) == "extends" || m.words(0) == "from" ||
              m.words(0) == "inherits" || m.words(0) == "of";
  heir = heir ||
         (m.type(0) == LPAREN && m.type(1) == NAME && (m.type(2) == RPAREN || m.type(2) == DOT));
  if (heir)
    return syntax_error(m.span(0, 0), format("expected `{{` or `=`, found `{}`", m.words(0)))
        .help(format("a plan that is made from another is written `plan {} = other {{ ... }}`",
                     m.words(-1)));
  if (m.type(0) == LPAREN)
    return syntax_error(m.span(0, 0), "a plan has no parameters")
        .help(
            "a plan that depends on something is a function: `fn f(n: Int) = Plan { ... }`, and "
            "`plan p = f(8)`");
  if (m.type(0) == NL || m.type(0) == END)
    return syntax_error(m.span(-1, -1), format("expected `{{` or `=` after `{}`", m.words(-1)))
        .help(format("the brace stands on the same line: `plan {} {{`", m.words(-1)));
  return {};
}

// type C: Int
Found renamed_type(const Mistake& m) {
  bool head = first_token(m).type == TYPE && type_of(m, 2) == COLON;
  if (!head || !m.expects(LBRACE)) return {};
  Span colon{m.file, m.tokens[2].begin, m.tokens[2].end};
  return syntax_error(colon, "after `:` stands the type that this one extends, then its fields")
      .help(format("another name for a type is written with `=`: `type {} = {}`",
                   m.slice(m.tokens[1]), m.words(-1)),
            {m.file, m.tokens[1].end, colon.end}, " =");
}

// import a, b    import std.recipes.*    import a.b, c
Found import_forms(const Mistake& m) {
  if (first_token(m).type != IMPORT) return {};
  if (m.type(0) == COMMA)
    return syntax_error(m.span(0, 0), "an import names one file")
        .help("write a second `import` on a line of its own");
  if (m.type(0) == STAR)
    return syntax_error(m.span(0, 0), "an import names one file, not a folder or what is in it")
        .help("import the file, and write its name before what it declares: `nvidia.T4`");
  return {};
}

}  // namespace

std::optional<DiagnosticBuilder> explain_declaration(const Mistake& mistake) {
  return first_that_fits({top_of_file, field_at_the_top, plan_name, renamed_type, import_forms},
                         mistake);
}

}  // namespace dtp::syntax

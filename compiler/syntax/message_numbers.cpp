// Numbers as other notations write them: `100,000`, `100 000`, `100k`, `90% of x`, `5 d 3 h`.
#include <string>

#include "base/out.h"
#include "syntax/digit_groups.h"
#include "syntax/mistake.h"

namespace dtp::syntax {
namespace {

using enum TokenType;

bool may_start_value(TokenType type) { return type == NAME || type == LPAREN; }

// 90% gpu.memory, 90% of gpu.memory: a share of something.
Found share(const Mistake& m) {
  if (m.type(-1) != PERCENT || !may_start_value(m.type(0))) return {};
  std::string_view percent = m.words(-1);
  bool of = m.words(0) == "of" && (m.type(1) == NAME || m.type(1) == LPAREN);
  int first = of ? 1 : 0;
  int last = first;
  while (m.type(last + 1) == DOT && m.type(last + 2) == NAME) last += 2;
  std::string whole(m.text.substr(m.at(first).begin, m.at(last).end - m.at(first).begin));
  bool name = m.type(first) == NAME;
  if (!name) whole = "(...)";
  DiagnosticBuilder builder =
      syntax_error(m.span(-1, of ? 0 : last),
                   format("`{}` is a percentage, and `{}` follows it", percent, of ? "of" : whole));
  std::string fixed = format("{} * {}", percent, whole);
  if (name)
    builder.help(format("a share is written with `*`: `{}`", fixed), m.span(-1, last), fixed);
  else
    builder.help(format("a share is written with `*`: `{}`", fixed));
  if (!of)
    builder.help(format("the remainder of a division is written with spaces: `{} % {}`",
                        percent.substr(0, percent.size() - 1), whole));
  return builder;
}

// 100%8
Found modulo(const Mistake& m) {
  if (m.type(-1) != PERCENT || m.type(0) != NUMBER) return {};
  std::string_view percent = m.words(-1);
  std::string fixed = format("{} % {}", percent.substr(0, percent.size() - 1), m.words(0));
  return syntax_error(m.span(-1, 0),
                      format("`{}` is a percentage, and `{}` follows it", percent, m.words(0)))
      .help(format("the remainder of a division is written with spaces: `{}`", fixed),
            m.span(-1, 0), fixed, true);
}

// gpu.memory * 90 %
Found spaced_percent(const Mistake& m) {
  bool ends = m.type(0) == NL || m.type(0) == END || is_closer(m.type(0)) || m.type(0) == COMMA;
  if (!ends || m.type(-1) != MODULO || m.type(-2) != NUMBER) return {};
  std::string percent = std::string(m.words(-2)) + "%";
  return syntax_error(m.span(-1, -1), "`%` with a space before it is the remainder of a division")
      .help(format("a percentage is written without the space: `{}`", percent), m.span(-2, -1),
            percent);
}

Found digit_commas(const Mistake& m) {
  DigitGroups groups = digit_groups(m.tokens, m.failure.token, m.text);
  if (groups.last == groups.first) return {};
  Span place{m.file, m.tokens[groups.first].begin, m.tokens[groups.last].end};
  if (!groups.thousands) {
    std::string fixed =
        format("{}.{}", m.slice(m.tokens[groups.first]), m.slice(m.tokens[groups.last]));
    return syntax_error(place, "`,` separates two values, and the second has no name")
        .help(format("a decimal point is `.`: `{}`", fixed), place, fixed);
  }
  std::string fixed;
  for (char c : m.text.substr(place.begin, place.end - place.begin)) fixed += c == ',' ? '_' : c;
  return syntax_error(place, "`,` separates two values: it cannot stand inside a number")
      .help(format("digits are grouped with `_`: `{}`", fixed), place, fixed, true);
}

// duration = 100 000 steps
Found digit_spaces(const Mistake& m) {
  if (m.type(0) != NUMBER || m.type(-1) != NUMBER || m.at(0).end - m.at(0).begin != 3) return {};
  std::string fixed = format("{}_{}", m.words(-1), m.words(0));
  return syntax_error(m.span(-1, 0), "a space cannot stand inside a number")
      .help(format("digits are grouped with `_`: `{}`", fixed), m.span(-1, 0), fixed);
}

std::string_view zeros(std::string_view word) {
  if (word == "k" || word == "K") return "_000";
  if (word == "M" || word == "mn") return "_000_000";
  if (word == "B" || word == "G" || word == "bn") return "_000_000_000";
  return {};
}

// duration = 100k steps
Found count_prefix(const Mistake& m) {
  if (m.type(0) != NAME || m.type(-1) != UNIT || m.type(-2) != NUMBER) return {};
  std::string_view number = m.words(-2);
  std::string_view tail = zeros(m.words(-1));
  bool whole = number.find_first_of(".eE") == std::string_view::npos;
  if (tail.empty()) return {};
  std::string fixed = format("{}{}", number, tail);
  if (!whole) fixed = format("{}e{}", number, tail.size() / 4 * 3);
  return syntax_error(m.span(-2, -1), format("`{}` is no unit of a count", m.words(-1)))
      .help(format("a count is written out: `{} {}`", fixed, m.words(0)), m.span(-2, -1), fixed);
}

// require time.total <= 5 d 3 h
Found two_quantities(const Mistake& m) {
  if (m.type(0) != NUMBER || m.type(1) != UNIT || m.type(-1) != UNIT || m.type(-2) != NUMBER)
    return {};
  auto quantity = [&](int at) {
    return std::string(m.text.substr(m.at(at).begin, m.at(at + 1).end - m.at(at).begin));
  };
  std::string fixed = format("{} + {}", quantity(-2), quantity(0));
  return syntax_error(m.span(0, 1), format("`{}` follows `{}`", quantity(0), quantity(-2)))
      .help(format("two quantities are added with `+`: `{}`", fixed), m.span(-2, 1), fixed);
}

}  // namespace

std::optional<DiagnosticBuilder> explain_numbers(const Mistake& mistake) {
  return first_that_fits(
      {share, modulo, spaced_percent, digit_commas, digit_spaces, count_prefix, two_quantities},
      mistake);
}

}  // namespace dtp::syntax

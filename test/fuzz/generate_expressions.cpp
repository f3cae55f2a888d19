// Expressions, by the levels of grammar/README.md from loose to tight.
#include <array>
#include <utility>

#include "generator_gaps.h"

namespace dtp::fuzz {
namespace {

struct Level {
  std::string_view operators;
  bool chains;
};
constexpr std::array<Level, 10> kLevels = {{{"|>", true},
                                            {"implies", true},
                                            {"or", true},
                                            {"and", true},
                                            {"== != < <= > >= in is", false},
                                            {"??", true},
                                            {"by", false},
                                            {".. ..<", false},
                                            {"+ -", true},
                                            {"* / % ^", true}}};
constexpr unsigned kNot = 4;  // `not` stands before a comparison

}  // namespace

void Generator::path() {
  name();
  while (once_in(3)) put("."), name();
}

void Generator::names() {
  name();
  while (once_in(4)) put(","), blank(), name();
}

void Generator::expression() {
  if (depth_ > 6) return operand();
  ++depth_;
  unsigned form = braces_begin_a_block_ ? 99 : below(40);
  if (form == 0) {
    put("if"), gap(), expression(), gap(), put("then"), gap(), expression(), gap(), put("else");
    gap(), expression();
  } else if (form < 3) {
    put(form == 1 ? "choose" : "each"), gap(), expression();
  } else {
    level(0);
  }
  --depth_;
}

void Generator::record() {
  braces(true, [this] { item(); });
}

void Generator::level(unsigned at) {
  if (at == kNot && once_in(12)) put("not"), blank();
  if (at == kLevels.size()) return operand();
  level(at + 1);
  for (unsigned n = 0; n < 2 && once_in(10 + depth_ * 2); ++n) {
    gap();
    std::string_view sign = any_of(kLevels[at].operators);
    put(sign);
    // `1..` and `90 %` may end a line.
    sign == "%" || sign.starts_with("..") ? gap_in_list() : gap();
    level(at + 1);
    if (!kLevels[at].chains) break;
  }
}

void Generator::number() {
  put(any_of("0 1 42 1_281_167 3.25 1e-4 2.5E+3 007"));
  if (once_in(3)) put(once_in(12) ? "" : " "), put(any_of("GiB h GB/s TFLOP/s USD/GPU/h steps"));
}

void Generator::operand() {
  while (once_in(14)) put("-"), put(once_in(3) ? " " : "");
  switch (below(depth_ > 5 ? 6 : 16)) {
    case 0:
    case 1: return number();
    case 2: return put(any_of("90% 0.5% true false none ?"));
    case 3: return text_literal();
    case 4:
    case 5: return name();
    case 6:
      put("("), lists_.push_back(true);
      in_brackets([this] { gap(), expression(), gap(); });
      lists_.pop_back(), put(")");
      return suffixes();
    case 7: list('[', ']', true, [this] { expression(); }); return;
    case 8: return put(once_in(2) ? "[]" : "[ ]");
    case 9:
      put("["), lists_.push_back(true);
      in_brackets([this] { expression(), comprehension(); });
      lists_.pop_back(), put("]");
      return;
    case 10:
      if (!braces_begin_a_block_) return record();
      [[fallthrough]];
    default: name(); return suffixes();
  }
}

void Generator::suffixes() {
  for (unsigned n = below(3); n > 0; --n) {
    switch (below(8)) {
      case 0:
      case 1:
        once_in(30) ? gap() : void();
        put("."), name();
        break;
      case 2: put(".*"); break;
      case 3: list('(', ')', true, [this] { argument(); }); break;
      case 4:
        put("("), lists_.push_back(true);
        if (!once_in(4)) in_brackets([this] { expression(), comprehension(); });
        lists_.pop_back(), put(")");
        break;
      case 5:
        put("["), lists_.push_back(true);
        in_brackets([this] { gap(), expression(), gap(); });
        lists_.pop_back(), put("]");
        break;
      case 6:
        if (braces_begin_a_block_) break;
        put(" "), record();
        break;
      default:
        if (braces_begin_a_block_) break;  // there `as` names the loop
        gap_in_list(), put("as"), gap(), once_in(3) ? text_literal() : name();
    }
  }
}

void Generator::argument() {
  if (once_in(3)) name(), blank(), put("="), gap();
  expression();
}

void Generator::comprehension() {
  for (unsigned n = once_in(5) ? 2 : 1; n > 0; --n) {
    gap(), put("for"), gap(), names(), gap(), put("in"), gap(), level(0);
  }
  if (once_in(3)) gap(), put("if"), gap(), level(0);
}

void Generator::string() {
  put("\"");
  for (unsigned n = below(4); n > 0; --n) {
    if (once_in(3)) {
      hole();
    } else {
      put(any_of("word two\\nlines \\\"quoted\\\" \\{brace\\} // /* 100% \xC3\xA9 a\\\\b '"));
      put(once_in(2) ? " " : "");
    }
  }
  put("\"");
}

// No string and no line break stands inside the braces of a string.
void Generator::hole() {
  put("{"), name();
  if (once_in(3)) put(once_in(2) ? " + " : "+"), put(any_of("1 x 2.5 (x+1) f(1,x=2) xs[0]"));
  if (once_in(3)) put("."), name();
  if (once_in(3)) put(":"), put(any_of("GiB h TFLOP/s"));
  put("}");
}

void Generator::raw_string() {
  put("\"\"\"");
  for (unsigned n = below(4); n > 0; --n)
    put(any_of("word {brace} \" \"\" // \\n /* \xC3\xA9")), put(once_in(3) ? "\n  " : " ");
  put(" \"\"\"");
}

}  // namespace dtp::fuzz

// Units that are missing, unknown, or no units at all.
#include <algorithm>

#include "base/other_words.h"
#include "eval/arithmetic.h"
#include "eval/hints.h"
#include "units/print.h"

namespace dtp::eval {
namespace {

// 100k, 1.5M: prefixes belong to units.
std::optional<Int128> multiple(std::string_view word) {
  if (word == "k" || word == "K") return Int128{1000};
  if (word == "M" || word == "mn") return Int128{1'000'000};
  if (word == "G" || word == "bn") return Int128{1'000'000'000};
  if (word == "T") return Int128{1'000'000'000'000};
  return std::nullopt;
}

std::string grouped(Int128 n) {
  std::string out = with_thousands(n);
  std::replace(out.begin(), out.end(), ',', '_');
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
  return out;
}

}  // namespace

void Hints::unit(DiagnosticBuilder& message, const lang::Expr* quantity, Env* env) const {
  if (!evaluator_.may_propose()) return;
  const lang::Literal& literal = *quantity->literal;
  Symbol name = evaluator_.names().intern(literal.unit);
  // 1.2M: whatever is called M, what touches a number is no factor.
  bool touches = literal.unit_span.begin > quantity->span.begin && !text(quantity->span).empty() &&
                 text(quantity->span).find(' ') == std::string::npos;
  if (literal.unit.starts_with("x") && text(quantity->span).starts_with("0x")) {
    message.help("numbers are written in decimal, not in hexadecimal");
    return;
  }
  if (literal.unit == "times") {
    message.help("what is done several times stands in `repeat n { ... }`");
    return;
  }
  if (literal.unit.starts_with("checkpoint")) {
    message.help("such a loop is written `repeat n checkpointed { ... }`");
    return;
  }
  if (in_scope(name, env) && !(touches && multiple(literal.unit))) {
    message.help(
        format("`{}` is a name: put `,` before it, or `*` to multiply with it", literal.unit));
    return;
  }
  if (auto factor = multiple(literal.unit); factor && literal.exact) {
    NumberResult count =
        multiply(exact_number(literal.numerator, literal.denominator), exact_number(*factor));
    if (count.error == NumberError::none && count.number.whole())
      message.help(format("a count is written out: `{}`", grouped(count.number.numerator)),
                   quantity->span, grouped(count.number.numerator));
    if (literal.unit == "G" || literal.unit == "M" || literal.unit == "T")
      message.help(format("a memory has its unit: `{0}iB` or `{0}B`", literal.unit));
    return;
  }
  if (!near_unit(message, literal.unit, literal.unit_span))
    message.note("the word after a number is its unit");
}

bool Hints::near_unit(DiagnosticBuilder& message, std::string_view wanted, Span at) const {
  std::vector<std::string> all;
  for (const units::BaseDimensionInfo& base : evaluator_.units().base_dimensions())
    if (auto dimension = evaluator_.units().dimension(base.name)) {
      for (const std::string& unit : evaluator_.units().examples(*dimension)) all.push_back(unit);
      for (const std::string& unit : evaluator_.units().spellings(*dimension)) all.push_back(unit);
    }
  Names known(all.begin(), all.end());
  // `Epochs` means `epochs`, not what else a run's length is told in.
  std::string near(same_but_case(wanted, known));
  if (near.empty()) near = same_meaning(wanted, known);
  if (near.empty()) near = evaluator_.units().nearest(wanted);
  if (near.empty()) return false;
  message.help(format("did you mean `{}`?", near), at, near);
  return true;
}

// "{m:GiBs}", "{m:h}"
void Hints::unit_of(DiagnosticBuilder& message, std::string_view wanted, Span at,
                    const Number& value) const {
  if (!evaluator_.may_propose()) return;
  if (!evaluator_.units().find(wanted) && near_unit(message, wanted, at)) return;
  std::vector<std::string> examples = evaluator_.units().examples(value.dimension);
  if (!value.dimension.is_none() && !examples.empty())
    message.help(
        format("{} is said in {}", evaluator_.units().spoken(value.dimension), joined(examples)));
}

void Hints::bits(const lang::Expr* quantity, const units::Unit& unit) {
  const lang::Literal& literal = *quantity->literal;
  double bytes = literal.value * unit.scale.value();
  std::string in_bytes =
      units::print_quantity(evaluator_.units(), bytes, units::kMemoryDimension, true);
  std::string capital = unit.name.substr(0, unit.name.rfind('b'));
  if (unit.name.ends_with("b")) capital += "B";
  auto builder = evaluator_.diagnose(Kind::BitsForBytes, literal.unit_span,
                                     format("`{}` counts bits: this is {}", unit.name, in_bytes));
  if (capital.ends_with("B"))
    builder.help(format("bytes have a capital letter: `{}`", capital), literal.unit_span, capital);
  evaluator_.sink().add(std::move(builder));
}

std::string Hints::dimensions(lang::Op op, const Number& a, const Number& b) const {
  auto said = [&](const Number& n) {
    Number likely = n;
    likely.interval = Interval::point(n.interval.likely);
    return format("{} ({})", evaluator_.units().spoken(n.dimension),
                  evaluator_.print(evaluator_.make_number(likely)));
  };
  std::string left = said(a);
  std::string right = said(b);
  switch (op) {
    case lang::Op::add: return format("{} is added to {}", right, left);
    case lang::Op::subtract: return format("{} is subtracted from {}", right, left);
    case lang::Op::modulo: return format("the remainder of {} by {}", left, right);
    default: return format("{} is compared with {}", left, right);
  }
}

void Hints::unit_missing(DiagnosticBuilder& message, const Number& a, const Number& b) const {
  const units::UnitTable& units = evaluator_.units();
  if (a.dimension.is_none() != b.dimension.is_none()) {
    const Number& plain = a.dimension.is_none() ? a : b;
    const Number& other = a.dimension.is_none() ? b : a;
    std::vector<std::string> examples = units.examples(other.dimension);
    if (examples.empty()) return;
    std::string number = plain.whole() && plain.numerator >= 10'000
                             ? grouped(plain.numerator)
                             : evaluator_.print(evaluator_.make_number(plain));
    std::string rest = joined({examples.begin() + 1, examples.end()});
    message.help(format("{} has a unit: `{} {}`{}{}", units.spoken(other.dimension), number,
                        examples[0], rest.empty() ? "" : ", or ", rest));
    if (other.dimension == units::kMemoryDimension && other.whole() &&
        evaluator_.print(evaluator_.make_number(other)).ends_with(" B"))
      message.help("`B` after a number means bytes; a count of billions is written `8e9`");
    return;
  }
  bool money = units.spoken(a.dimension) == units.spoken(b.dimension);
  if (money) message.note("each currency stands alone: no rate of exchange is known here");
}

void Hints::units_of(DiagnosticBuilder& message, const Type* type, const Value& value) const {
  bool quantity = value.is(ValueKind::number) && !value.number->dimension.is_none();
  bool family = type->kind == TypeKind::family;
  std::vector<std::string> examples =
      family ? evaluator_.units().family_examples(evaluator_.text(type->name), type->dimension)
             : evaluator_.units().examples(type->dimension);
  if (examples.empty()) return;
  if (quantity)
    message.help(format("{} is said in {}", evaluator_.print(type), joined(examples)));
  else if (value.is(ValueKind::number))
    message.help(format("write a unit after the number: {}", joined(examples)));
  else if (value.is(ValueKind::range))
    message.help("what lies between two ends is an estimate: `spread(lo, likely, hi, \"why\")`");
  else
    message.help(format("a quantity is a number and its unit, one of {}", joined(examples)));
}

}  // namespace dtp::eval

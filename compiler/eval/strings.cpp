// Values as text: in interpolated strings and in messages.
#include <cmath>

#include "eval/arithmetic.h"
#include "eval/evaluator.h"
#include "eval/hints.h"
#include "units/print.h"

namespace dtp::eval {

namespace {

bool is_count(const units::Dimension& d) {
  return d.is_none() || d == units::Dimension::base(units::kStep) ||
         d == units::Dimension::base(units::kSample) ||
         d == units::Dimension::base(units::kToken) || d == units::Dimension::base(units::kEpoch);
}

// Of printed numbers: nothing but thousands is set apart by a comma.
std::string without_commas(std::string text) {
  std::erase(text, ',');
  return text;
}

}  // namespace

std::optional<std::string> Evaluator::plain_number(const Number& n) {
  if (!is_count(n.dimension) || !n.is_point()) return std::nullopt;
  return n.whole() ? to_string(n.numerator) : format("{}", n.interval.likely);
}

std::string Evaluator::interpolate(const lang::Expr* e, Env* env, Digits digits, bool* good) {
  std::string out;
  for (const lang::StringPiece& piece : e->pieces) {
    if (!piece.hole) {
      out += piece.text;
      continue;
    }
    Value v = evaluate(piece.hole, env);
    if (v.poisoned() && good) *good = false;
    if (piece.unit.empty() || !v.is(ValueKind::number)) {
      out += v.poisoned() ? "?" : print(v, digits);
      if (spend(e->span, out.size() / 8)) continue;
      if (good) *good = false;
      return out;
    }
    auto unit = units_.find(piece.unit);
    if (!unit || !(unit->dimension == v.number->dimension)) {
      auto builder = diagnose(Kind::BadInterpolatedUnit, piece.unit_span,
                              unit ? format("`{}` is a unit of {}, and the value is {}", piece.unit,
                                            units_.describe(unit->dimension), describe(v))
                                   : format("there is no unit `{}`", piece.unit));
      Hints(*this).unit_of(builder, piece.unit, piece.unit_span, *v.number);
      sink_.add(std::move(builder));
      if (good) *good = false;
      continue;
    }
    std::string number = units::print_in(v.number->interval.likely, *unit);
    out += digits == Digits::plain ? without_commas(std::move(number)) : number;
  }
  return out;
}

std::string Evaluator::print_number(const Number& n, unsigned digits) const {
  if (n.not_estimated()) return std::string(n.why);
  if (n.is_point() && !n.unit.empty())
    if (auto unit = units_.find(n.unit)) return units::print_as_written(n.interval.likely, *unit);
  if (n.percent) return units::print_percent(n.interval, n.written ? units::kMostDigits : digits);
  if (n.written && n.is_point() && n.dimension.is_none() && !n.whole())
    return units::print_written(n.interval.likely);
  if (n.whole() && n.dimension.is_none()) return with_thousands(n.numerator);
  return units::print_interval(units_, n.interval, n.dimension, n.decimal, digits);
}

// What is compared with a quantity reads best in its unit, as long as the number is neither tiny
// nor huge there.
std::string Evaluator::print_beside(const Value& value, const Value& other, unsigned digits) const {
  auto plain = [&] {
    return value.is(ValueKind::number) ? print_number(*value.number, digits) : print(value);
  };
  bool numbers = value.is(ValueKind::number) && other.is(ValueKind::number);
  if (!numbers || !value.number->unit.empty() || value.number->percent ||
      !(value.number->dimension == other.number->dimension))
    return plain();
  if (other.number->percent) return units::print_percent(value.number->interval, digits);
  auto unit = units_.find(other.number->unit);
  if (other.number->unit.empty() || !unit || value.number->not_estimated()) return plain();
  double size = std::abs(value.number->interval.likely) / unit->scale.value();
  bool fits = size >= 0.1 && size < 1000;
  return fits ? units::print_interval_in(value.number->interval, *unit, digits) : plain();
}

std::pair<std::string, std::string> Evaluator::print_sides(const Value& left,
                                                           const Value& right) const {
  std::pair<std::string, std::string> sides;
  bool apart = left.is(ValueKind::number) && right.is(ValueKind::number) &&
               left.number->dimension == right.number->dimension &&
               !equal_numbers(*left.number, *right.number);
  for (unsigned digits = units::kUsualDigits; digits <= units::kMostDigits; ++digits) {
    sides = {print_beside(left, right, digits), print_beside(right, left, digits)};
    if (!apart || sides.first != sides.second) break;
  }
  return sides;
}

std::string Evaluator::print(const Value& v, Digits digits) const {
  switch (v.kind) {
    case ValueKind::poison: return "?";
    case ValueKind::none: return "none";
    case ValueKind::auto_: return "auto";
    case ValueKind::unknown: return format("unknown ({})", v.unknown->why);
    case ValueKind::hole: return "?";
    case ValueKind::boolean:
      return v.verdict == Verdict::proved    ? "true"
             : v.verdict == Verdict::refuted ? "false"
                                             : "undecided";
    case ValueKind::number: {
      if (digits == Digits::grouped) return print_number(*v.number);
      auto plain = plain_number(*v.number);
      return plain ? *plain : without_commas(print_number(*v.number));
    }
    case ValueKind::string: return std::string(v.string());
    case ValueKind::list:
    case ValueKind::tuple: {
      std::string out = v.is(ValueKind::list) ? "[" : "(";
      for (size_t i = 0; i < v.items().size(); ++i) {
        if (i) out += ", ";
        if (i == 12) {
          out += format("... {} in all", v.items().size());
          break;
        }
        out += print(v.items()[i], digits);
      }
      return out + (v.is(ValueKind::list) ? "]" : ")");
    }
    case ValueKind::range: {
      std::string out = print(const_cast<Evaluator*>(this)->make_number(*v.range->lo), digits);
      out += v.range->exclusive ? "..<" : "..";
      if (v.range->hi)
        out += print(const_cast<Evaluator*>(this)->make_number(*v.range->hi), digits);
      if (v.range->step)
        out += " by " + print(const_cast<Evaluator*>(this)->make_number(*v.range->step), digits);
      return out;
    }
    case ValueKind::record:
      if (v.record->shape && v.record->shape->kind == ShapeKind::case_)
        return std::string(text(v.record->shape->name));
      if (v.record->name) return std::string(text(v.record->name));
      return v.record->shape ? std::string(text(v.record->shape->name)) : "a record";
    case ValueKind::shape: return std::string(text(v.shape->name));
    case ValueKind::function: return std::string(text(v.closure->function->name));
    case ValueKind::native: return std::string(v.native->name());
    case ValueKind::module: return v.module->name;
    case ValueKind::shell: {
      std::string out;
      for (const ShellPiece& p : *v.shell)
        out += p.variable ? format("${{{}}}", p.text) : std::string(p.text);
      return out;
    }
    case ValueKind::tensor: return "a tensor";
    case ValueKind::dim: return v.dim == 1 ? "B" : format("{} B", v.dim);
  }
  return "?";
}

std::string Evaluator::describe(const Value& v) const {
  switch (v.kind) {
    case ValueKind::number:
      if (v.number->dimension.is_none()) return format("the number {}", print(v));
      return format("{} ({})", units_.spoken(v.number->dimension), print(v));
    case ValueKind::string: return format("the string \"{}\"", print(v));
    case ValueKind::boolean:
      return v.verdict == Verdict::undecided ? "an undecided condition" : print(v);
    case ValueKind::list: return format("a list of {}", v.items().size());
    case ValueKind::tuple: return format("{} values", v.items().size());
    case ValueKind::range: return format("the range {}", print(v));
    case ValueKind::record:
      if (!v.record->shape) return v.record->is_map ? "a map" : "a record";
      return kind_name(v.record);
    case ValueKind::shape: {
      const char* what = v.shape->kind == ShapeKind::choice  ? "choice"
                         : v.shape->kind == ShapeKind::model ? "model"
                         : v.shape->kind == ShapeKind::case_ ? "case"
                                                             : "type";
      return format("the {} {}", what, text(v.shape->name));
    }
    case ValueKind::function: return format("the function `{}`", print(v));
    case ValueKind::native: return format("the operation `{}`", print(v));
    case ValueKind::module: return format("the file `{}`", print(v));
    case ValueKind::shell: return "text of the emitted script";
    default: return print(v);
  }
}

}  // namespace dtp::eval

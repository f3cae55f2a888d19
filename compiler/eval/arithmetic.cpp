#include "eval/arithmetic.h"

#include <algorithm>
#include <cmath>

namespace dtp::eval {
namespace {

NumberResult failure(NumberError error) { return {{}, error}; }

// An exact result that does not fit falls back to a double where the quantity is a measure (it has
// a dimension that is not counted exactly) and is an overflow where it is a count or bytes.
NumberResult reduced(std::optional<Int128> numerator, std::optional<Int128> denominator,
                     const units::Dimension& dimension, double value) {
  // The least number has no opposite: it is left out, so that signs can be turned without a look.
  constexpr Int128 kLeast = Int128{1} << 127;
  auto fits = [](std::optional<Int128> n) { return n && *n != kLeast; };
  if (!fits(numerator) || !fits(denominator)) {
    if (dimension.is_none() || dimension == units::kMemoryDimension)
      return failure(NumberError::overflow);
    return {real_number(value, dimension)};
  }
  return {exact_number(*numerator, *denominator, dimension)};
}

std::string_view first_reason(const Number& a, const Number& b) {
  return a.why.empty() ? b.why : a.why;
}

NumberResult finish(NumberResult result, const Number& a, const Number& b) {
  result.number.decimal = a.decimal || b.decimal;
  return result;
}

template <class Exact, class Approximate>
NumberResult sum(const Number& a, const Number& b, Exact exact, Approximate approximate) {
  if (!(a.dimension == b.dimension)) return failure(NumberError::dimensions);
  Interval value = approximate(a.interval, b.interval);
  if (!a.exact || !b.exact)
    return finish({interval_number(value, a.dimension, first_reason(a, b))}, a, b);
  auto left = checked_multiply(a.numerator, b.denominator);
  auto right = checked_multiply(b.numerator, a.denominator);
  auto numerator = left && right ? exact(*left, *right) : std::nullopt;
  return finish(
      reduced(numerator, checked_multiply(a.denominator, b.denominator), a.dimension, value.likely),
      a, b);
}

}  // namespace

Number exact_number(Int128 numerator, Int128 denominator, const units::Dimension& dimension) {
  Number n;
  if (denominator < 0) numerator = -numerator, denominator = -denominator;
  Int128 common = denominator == 1 ? 1 : gcd(numerator, denominator);
  if (common == 0) common = 1;
  n.numerator = numerator / common;
  n.denominator = denominator / common;
  n.interval =
      Interval::point(static_cast<double>(n.numerator) / static_cast<double>(n.denominator));
  n.dimension = dimension;
  return n;
}

Number real_number(double value, const units::Dimension& dimension) {
  Number n;
  n.exact = false;
  n.interval = Interval::point(value);
  n.dimension = dimension;
  return n;
}

Number interval_number(Interval value, const units::Dimension& dimension, std::string_view why) {
  Number n;
  n.exact = false;
  n.interval = value;
  n.dimension = dimension;
  n.why = why;
  return n;
}

NumberResult add(const Number& a, const Number& b) {
  return sum(a, b, checked_add, [](Interval x, Interval y) { return x + y; });
}

NumberResult subtract(const Number& a, const Number& b) {
  return sum(a, b, checked_subtract, [](Interval x, Interval y) { return x - y; });
}

NumberResult multiply(const Number& a, const Number& b) {
  units::Dimension dimension = a.dimension * b.dimension;
  Interval value = a.interval * b.interval;
  if (!a.exact || !b.exact)
    return finish({interval_number(value, dimension, first_reason(a, b))}, a, b);
  return finish(reduced(checked_multiply(a.numerator, b.numerator),
                        checked_multiply(a.denominator, b.denominator), dimension, value.likely),
                a, b);
}

NumberResult divide(const Number& a, const Number& b) {
  if (b.interval.lo <= 0 && b.interval.hi >= 0) return failure(NumberError::division_by_zero);
  units::Dimension dimension = a.dimension / b.dimension;
  Interval value = a.interval / b.interval;
  if (!a.exact || !b.exact)
    return finish({interval_number(value, dimension, first_reason(a, b))}, a, b);
  return finish(reduced(checked_multiply(a.numerator, b.denominator),
                        checked_multiply(a.denominator, b.numerator), dimension, value.likely),
                a, b);
}

NumberResult modulo(const Number& a, const Number& b) {
  if (!(a.dimension == b.dimension)) return failure(NumberError::dimensions);
  if (b.interval.lo <= 0 && b.interval.hi >= 0) return failure(NumberError::division_by_zero);
  if (a.exact && b.exact) {
    auto left = checked_multiply(a.numerator, b.denominator);
    auto right = checked_multiply(b.numerator, a.denominator);
    auto denominator = checked_multiply(a.denominator, b.denominator);
    if (!left || !right || !denominator) return failure(NumberError::overflow);
    Int128 rest = *left % *right;
    if (rest != 0 && (rest < 0) != (*right < 0)) rest += *right;
    return {exact_number(rest, *denominator, a.dimension)};
  }
  double y = b.interval.likely;
  double rest = std::fmod(a.interval.likely, y);
  if (rest != 0 && (rest < 0) != (y < 0)) rest += y;
  if (a.is_point() && b.is_point()) return {real_number(rest, a.dimension)};
  // The remainder of an interval may be anything below the divisor.
  return {interval_number({0, rest, b.interval.hi}, a.dimension, first_reason(a, b))};
}

namespace {

// Of a base that is not below zero the ends lie at the corners.
NumberResult real_power(const Number& a, const Number& b) {
  if (!a.dimension.is_none()) return failure(NumberError::power);
  const Interval &x = a.interval, &y = b.interval;
  // Below zero there are powers of some exponents only, and no corner bounds them.
  if (x.lo < 0) return failure(NumberError::power);
  if (x.lo == 0 && y.lo < 0) return failure(NumberError::division_by_zero);
  double corners[] = {std::pow(x.lo, y.lo), std::pow(x.lo, y.hi), std::pow(x.hi, y.lo),
                      std::pow(x.hi, y.hi)};
  Interval v{*std::min_element(corners, corners + 4), std::pow(x.likely, y.likely),
             *std::max_element(corners, corners + 4)};
  return {interval_number(v, {}, first_reason(a, b))};
}

}  // namespace

NumberResult power(const Number& a, const Number& b) {
  if (!b.dimension.is_none()) return failure(NumberError::power);
  if (!b.whole()) return real_power(a, b);
  if (b.numerator > 1000 || b.numerator < -1000) return failure(NumberError::overflow);
  int exponent = static_cast<int>(b.numerator);
  if (exponent < 0 && a.interval.lo <= 0 && a.interval.hi >= 0)
    return failure(NumberError::division_by_zero);
  units::Dimension dimension = a.dimension.power(exponent);
  double value = std::pow(a.interval.likely, exponent);
  if (!a.exact) {
    double lo = std::pow(a.interval.lo, exponent), hi = std::pow(a.interval.hi, exponent);
    bool even = exponent % 2 == 0, over_zero = a.interval.lo < 0 && a.interval.hi > 0;
    double least = even && over_zero ? 0 : std::min(lo, hi);
    return {interval_number({least, value, std::max(lo, hi)}, dimension, a.why)};
  }
  auto magnitude = static_cast<uint64_t>(exponent < 0 ? -exponent : exponent);
  auto numerator = checked_power(a.numerator, magnitude);
  auto denominator = checked_power(a.denominator, magnitude);
  // A negative exponent turns the fraction over.
  // NOLINTNEXTLINE(readability-suspicious-call-argument)
  if (exponent < 0) return reduced(denominator, numerator, dimension, value);
  return reduced(numerator, denominator, dimension, value);
}

NumberResult negate(const Number& a) {
  NumberResult r{a};
  r.number.numerator = -a.numerator;
  r.number.interval = -a.interval;
  r.number.result = nullptr;
  return r;
}

NumberResult round_to_whole(const Number& a, Rounding how) {
  auto rounded = [how](double x) {
    return how == Rounding::floor  ? std::floor(x)
           : how == Rounding::ceil ? std::ceil(x)
                                   : std::nearbyint(x);
  };
  if (a.exact) {
    Int128 q = a.numerator / a.denominator;
    Int128 r = a.numerator % a.denominator;
    if (how == Rounding::floor && r < 0) --q;
    if (how == Rounding::ceil && r > 0) ++q;
    if (how == Rounding::nearest) {
      if (r >= a.denominator - r) ++q;  // a half goes up
      if (-r > a.denominator + r) --q;
    }
    return {exact_number(q, 1, a.dimension)};
  }
  Interval v{rounded(a.interval.lo), rounded(a.interval.likely), rounded(a.interval.hi)};
  if (v.is_point() && std::abs(v.lo) < 9e18)
    return {exact_number(static_cast<Int128>(v.lo), 1, a.dimension)};
  return {interval_number(v, a.dimension, a.why)};
}

namespace {

// The same result of two plans that agree in all values and in their reason rests on the same
// assumptions: whatever the one turns out to be, the other is.
bool same_estimate(const Number& a, const Number& b) {
  return a.result && a.result == b.result && a.interval == b.interval && a.why == b.why;
}

}  // namespace

std::optional<Verdict> compare_less_equal(const Number& a, const Number& b) {
  if (!(a.dimension == b.dimension)) return std::nullopt;
  if (same_estimate(a, b)) return Verdict::proved;
  if (a.exact && b.exact) {
    auto left = checked_multiply(a.numerator, b.denominator);
    auto right = checked_multiply(b.numerator, a.denominator);
    if (left && right) return *left <= *right ? Verdict::proved : Verdict::refuted;
  }
  return less_equal(a.interval, b.interval);
}

std::optional<Verdict> compare_less(const Number& a, const Number& b) {
  if (!(a.dimension == b.dimension)) return std::nullopt;
  if (same_estimate(a, b)) return Verdict::refuted;
  if (a.exact && b.exact) {
    auto left = checked_multiply(a.numerator, b.denominator);
    auto right = checked_multiply(b.numerator, a.denominator);
    if (left && right) return *left < *right ? Verdict::proved : Verdict::refuted;
  }
  return less(a.interval, b.interval);
}

std::optional<Verdict> compared(lang::Op op, const Number& a, const Number& b) {
  switch (op) {
    case lang::Op::less: return compare_less(a, b);
    case lang::Op::less_equal: return compare_less_equal(a, b);
    case lang::Op::greater: return compare_less(b, a);
    default: return compare_less_equal(b, a);
  }
}

bool equal_numbers(const Number& a, const Number& b) {
  if (!(a.dimension == b.dimension)) return false;
  if (a.exact && b.exact) return a.numerator == b.numerator && a.denominator == b.denominator;
  return a.interval == b.interval;
}

}  // namespace dtp::eval

#include "units/dimension.h"

#include <algorithm>

namespace dtp::units {
namespace {

int8_t clamped(int exponent) { return static_cast<int8_t>(std::clamp(exponent, -100, 100)); }

}  // namespace

Dimension Dimension::combine(const Dimension& a, const Dimension& b, int sign) {
  Dimension result;
  for (unsigned i = 0; i < kMaxBaseDimensions; ++i)
    result.exponents_[i] = clamped(a.exponents_[i] + sign * b.exponents_[i]);
  return result;
}

Dimension Dimension::power(int exponent) const {
  // Beyond this every exponent that is not zero is clamped anyway, and the product must not
  // overflow.
  int bounded = std::clamp(exponent, -1000, 1000);
  Dimension result;
  for (unsigned i = 0; i < kMaxBaseDimensions; ++i)
    result.exponents_[i] = clamped(exponents_[i] * bounded);
  return result;
}

std::optional<Dimension> Dimension::root(int n) const {
  if (n == 0) return std::nullopt;
  Dimension result;
  for (unsigned i = 0; i < kMaxBaseDimensions; ++i) {
    if (exponents_[i] % n != 0) return std::nullopt;
    result.exponents_[i] = clamped(exponents_[i] / n);
  }
  return result;
}

}  // namespace dtp::units

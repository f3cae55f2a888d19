#include "base/int128.h"

#include <algorithm>

namespace dtp {

std::optional<Int128> checked_add(Int128 a, Int128 b) {
  Int128 r;
  if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
  return r;
}

std::optional<Int128> checked_subtract(Int128 a, Int128 b) {
  Int128 r;
  if (__builtin_sub_overflow(a, b, &r)) return std::nullopt;
  return r;
}

std::optional<Int128> checked_multiply(Int128 a, Int128 b) {
  Int128 r;
  if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
  return r;
}

std::optional<Int128> checked_power(Int128 base, uint64_t exponent) {
  Int128 result = 1;
  while (true) {
    if (exponent & 1) {
      auto product = checked_multiply(result, base);
      if (!product) return std::nullopt;
      result = *product;
    }
    exponent >>= 1;
    if (exponent == 0) return result;
    auto square = checked_multiply(base, base);
    if (!square) return std::nullopt;
    base = *square;
  }
}

Int128 gcd(Int128 a, Int128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

std::string to_string(Int128 value) {
  if (value == 0) return "0";
  bool negative = value < 0;
  std::string digits;
  while (value != 0) {
    int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  }
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string with_thousands(Int128 value) {
  std::string plain = to_string(value);
  size_t first = plain[0] == '-' ? 1 : 0;
  if (plain.size() - first <= 4) return plain;
  for (size_t i = plain.size(); i > first + 3;) {
    i -= 3;
    plain.insert(i, 1, ',');
  }
  return plain;
}

std::string counted(Int128 count, std::string_view one, std::string_view many) {
  std::string text = with_thousands(count) + " ";
  if (count == 1) return text.append(one);
  return many.empty() ? text.append(one).append("s") : text.append(many);
}

std::optional<Int128> parse_int128(std::string_view digits) {
  Int128 value = 0;
  bool any = false;
  for (char c : digits) {
    if (c == '_') continue;
    if (c < '0' || c > '9') return std::nullopt;
    auto shifted = checked_multiply(value, 10);
    if (!shifted) return std::nullopt;
    auto next = checked_add(*shifted, c - '0');
    if (!next) return std::nullopt;
    value = *next;
    any = true;
  }
  if (!any) return std::nullopt;
  return value;
}

}  // namespace dtp

#include "sema/number_text.h"

#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/int128.h"

namespace dtp::sema {
namespace {

constexpr int kNoExponent = 1'000'000;

// "+38" and "-7". Beyond this limit no value fits: the sign decides between too large and zero.
int written_exponent(llvm::StringRef text) {
  bool negative = text.starts_with("-");
  text.consume_front("+");
  int value = 0;
  if (text.getAsInteger(10, value)) return negative ? -kNoExponent : kNoExponent;
  return std::clamp(value, -kNoExponent, kNoExponent);
}

}  // namespace

lang::Literal parse_number(std::string_view text) {
  lang::Literal result;
  std::string digits;
  int exponent = 0;
  bool fraction = false;
  size_t i = 0;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '_' || text[i] == ',') continue;
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    digits.push_back(text[i]);
    if (fraction) --exponent;
  }
  std::string plain;
  for (char c : text)
    if (c != '_' && c != ',') plain.push_back(c);
  result.value = std::strtod(plain.c_str(), nullptr);
  if (i < text.size())
    exponent +=
        written_exponent(llvm::StringRef(plain).split(plain[plain.find_first_of("eE")]).second);
  auto mantissa = parse_int128(digits);
  auto scale = exponent > -39 && exponent < 39
                   ? checked_power(10, static_cast<uint64_t>(exponent < 0 ? -exponent : exponent))
                   : std::nullopt;
  if (!mantissa || !scale) {
    result.exact = false;
    return result;
  }
  if (exponent >= 0) {
    auto product = checked_multiply(*mantissa, *scale);
    result.exact = product.has_value();
    if (product) result.numerator = *product;
    return result;
  }
  Int128 common = gcd(*mantissa, *scale);
  if (common == 0) common = 1;
  result.numerator = *mantissa / common;
  result.denominator = *scale / common;
  return result;
}

}  // namespace dtp::sema

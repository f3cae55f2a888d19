// Checked 128-bit integers: bytes and counts are exact, and an overflow is seen, never wrapped.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dtp {

__extension__ using Int128 = __int128;

// Each gives nothing when the true result does not fit.
std::optional<Int128> checked_add(Int128 a, Int128 b);
std::optional<Int128> checked_subtract(Int128 a, Int128 b);
std::optional<Int128> checked_multiply(Int128 a, Int128 b);
// `exponent` >= 0.
std::optional<Int128> checked_power(Int128 base, uint64_t exponent);

Int128 gcd(Int128 a, Int128 b);  // of the absolute values; gcd(0, 0) is 0

std::string to_string(Int128 value);
// "675129632" -> "675,129,632"
std::string with_thousands(Int128 value);
// Digits only, with '_' allowed between them. Nothing on overflow or a bad digit.
std::optional<Int128> parse_int128(std::string_view digits);

}  // namespace dtp

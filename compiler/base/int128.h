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
// For people: digits in groups of three where there are more than four, as the SI brochure has it
// (9th edition, 5.4.4): "9216", "675,129,632".
std::string with_thousands(Int128 value);
// "1 pass", "1024 passes". `many` is left out where it is `one` and an s.
std::string counted(Int128 count, std::string_view one, std::string_view many = {});
// Digits only, with '_' allowed between them. Nothing on overflow or a bad digit.
std::optional<Int128> parse_int128(std::string_view digits);

}  // namespace dtp

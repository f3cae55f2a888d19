// Arithmetic on numbers: exact ratios stay exact, intervals carry their reason, dimensions follow
// the operation.
#pragma once
#include <optional>

#include "eval/value.h"

namespace dtp::eval {

enum class NumberError { none, overflow, division_by_zero, dimensions, power };

struct NumberResult {
  Number number;
  NumberError error = NumberError::none;
};

Number exact_number(Int128 numerator, Int128 denominator = 1,
                    const units::Dimension& dimension = {});
Number real_number(double value, const units::Dimension& dimension = {});
Number interval_number(Interval value, const units::Dimension& dimension, std::string_view why);

NumberResult add(const Number& a, const Number& b);
NumberResult subtract(const Number& a, const Number& b);
NumberResult multiply(const Number& a, const Number& b);
// Never truncates: 7 / 2 is the exact ratio.
NumberResult divide(const Number& a, const Number& b);
// Both whole, or in one dimension; the sign is that of b.
NumberResult modulo(const Number& a, const Number& b);
NumberResult power(const Number& a, const Number& b);
NumberResult negate(const Number& a);
enum class Rounding { floor, ceil, nearest };
NumberResult round_to_whole(const Number& a, Rounding how);

// Nothing when the dimensions differ.
// < <= > >=; nothing where the dimensions differ.
std::optional<Verdict> compared(lang::Op op, const Number& a, const Number& b);
std::optional<Verdict> compare_less_equal(const Number& a, const Number& b);
std::optional<Verdict> compare_less(const Number& a, const Number& b);
bool equal_numbers(const Number& a, const Number& b);

}  // namespace dtp::eval

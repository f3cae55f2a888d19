// Numbers of the language: exact ratios, dimensions, intervals.
#include "eval/arithmetic.h"

#include <gtest/gtest.h>

namespace dtp::eval {
namespace {

using units::kMemoryDimension;
using units::kTimeDimension;

constexpr Int128 kLargest = (Int128{1} << 126) - 1 + (Int128{1} << 126);

Number estimate(double lo, double likely, double hi) {
  return interval_number({lo, likely, hi}, kMemoryDimension, "a test");
}

TEST(Arithmetic, DivisionKeepsTheExactRatio) {
  NumberResult third = divide(exact_number(1), exact_number(3));
  EXPECT_FALSE(third.number.whole());
  NumberResult one = multiply(third.number, exact_number(3));
  EXPECT_TRUE(one.number.whole());
  EXPECT_TRUE(one.number.numerator == 1);
}

TEST(Arithmetic, DimensionsMultiplyAndMustAgreeInSums) {
  NumberResult rate =
      divide(exact_number(10, 1, kMemoryDimension), exact_number(2, 1, kTimeDimension));
  EXPECT_EQ(rate.number.dimension, kMemoryDimension / kTimeDimension);
  EXPECT_EQ(add(exact_number(1, 1, kMemoryDimension), exact_number(1, 1, kTimeDimension)).error,
            NumberError::dimensions);
}

TEST(Arithmetic, CountsOverflowAndMeasuresDoNot) {
  EXPECT_EQ(multiply(exact_number(kLargest), exact_number(2)).error, NumberError::overflow);
  NumberResult time = multiply(exact_number(kLargest, 1, kTimeDimension), exact_number(2));
  EXPECT_EQ(time.error, NumberError::none);
  EXPECT_FALSE(time.number.exact);
}

TEST(Arithmetic, ZeroDivides) {
  EXPECT_EQ(divide(exact_number(1), exact_number(0)).error, NumberError::division_by_zero);
  EXPECT_EQ(divide(exact_number(1), interval_number({-1, 0.5, 2}, {}, "")).error,
            NumberError::division_by_zero);
  EXPECT_EQ(modulo(exact_number(7), exact_number(0)).error, NumberError::division_by_zero);
}

TEST(Arithmetic, ModuloHasTheSignOfTheDivisor) {
  EXPECT_TRUE(modulo(exact_number(-7), exact_number(3)).number.numerator == 2);
  EXPECT_TRUE(modulo(exact_number(7), exact_number(-3)).number.numerator == -2);
}

TEST(Arithmetic, PowersAreExactAndScaleDimensions) {
  NumberResult kib = power(exact_number(2), exact_number(10));
  EXPECT_TRUE(kib.number.numerator == 1024);
  EXPECT_TRUE(power(exact_number(2), exact_number(-2)).number.denominator == 4);
  EXPECT_EQ(power(exact_number(3, 1, kTimeDimension), exact_number(2)).number.dimension,
            kTimeDimension * kTimeDimension);
  EXPECT_EQ(power(exact_number(3, 1, kTimeDimension), exact_number(1, 2)).error,
            NumberError::power);
}

TEST(Arithmetic, RoundingGoesDownUpAndToTheNearest) {
  Number half = exact_number(-7, 2);
  EXPECT_TRUE(round_to_whole(half, Rounding::floor).number.numerator == -4);
  EXPECT_TRUE(round_to_whole(half, Rounding::ceil).number.numerator == -3);
  EXPECT_TRUE(round_to_whole(exact_number(10, 3), Rounding::nearest).number.numerator == 3);
}

TEST(Arithmetic, ComparisonsHaveThreeOutcomes) {
  Number limit = exact_number(10, 1, kMemoryDimension);
  EXPECT_EQ(compare_less_equal(estimate(1, 2, 3), limit), Verdict::proved);
  EXPECT_EQ(compare_less_equal(estimate(11, 12, 13), limit), Verdict::refuted);
  EXPECT_EQ(compare_less_equal(estimate(9, 10, 11), limit), Verdict::undecided);
  EXPECT_EQ(compare_less_equal(limit, exact_number(1, 1, kTimeDimension)), std::nullopt);
  EXPECT_EQ(compare_less(limit, limit), Verdict::refuted);
  EXPECT_EQ(compare_less_equal(limit, limit), Verdict::proved);
}

TEST(Arithmetic, IntervalsKeepTheirReason) {
  NumberResult sum = add(exact_number(1, 1, kMemoryDimension), estimate(1, 2, 3));
  EXPECT_EQ(sum.number.why, "a test");
  EXPECT_EQ(sum.number.interval, (Interval{2, 3, 4}));
  NumberResult product = multiply(interval_number({-2, 1, 3}, {}, ""), estimate(1, 2, 4));
  EXPECT_EQ(product.number.interval, (Interval{-8, 2, 12}));
}

}  // namespace
}  // namespace dtp::eval

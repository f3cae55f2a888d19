#include <gtest/gtest.h>

#include "base/dates.h"
#include "base/int128.h"
#include "base/interval.h"
#include "base/nearest_name.h"
#include "base/other_words.h"
#include "base/source_manager.h"
#include "base/symbol.h"

namespace dtp {
namespace {

constexpr Int128 kLargest = (((Int128{1} << 126) - 1) << 1) + 1;
constexpr Int128 kSmallest = -kLargest - 1;

TEST(Int128, ArithmeticSeesOverflow) {
  EXPECT_EQ(checked_add(2, 3), 5);
  EXPECT_FALSE(checked_add(kLargest, 1));
  EXPECT_FALSE(checked_subtract(kSmallest, 1));
  EXPECT_FALSE(checked_multiply(kLargest, 2));
  EXPECT_EQ(checked_multiply(kLargest, -1), -kLargest);
  EXPECT_FALSE(checked_multiply(kSmallest, -1));
}

TEST(Int128, Power) {
  EXPECT_EQ(checked_power(7, 0), 1);
  EXPECT_EQ(checked_power(0, 0), 1);
  EXPECT_EQ(checked_power(2, 126), Int128{1} << 126);
  EXPECT_FALSE(checked_power(2, 127));
  EXPECT_EQ(checked_power(-2, 127), kSmallest);
  EXPECT_EQ(checked_power(1, ~uint64_t{0}), 1);
  EXPECT_EQ(checked_power(-1, ~uint64_t{0}), -1);
  EXPECT_FALSE(checked_power(10, ~uint64_t{0}));
}

TEST(Int128, Text) {
  EXPECT_EQ(to_string(0), "0");
  EXPECT_EQ(to_string(kLargest), "170141183460469231731687303715884105727");
  EXPECT_EQ(to_string(kSmallest), "-170141183460469231731687303715884105728");
  EXPECT_EQ(with_thousands(675129632), "675,129,632");
  EXPECT_EQ(with_thousands(-1000), "-1000");
  EXPECT_EQ(with_thousands(9999), "9999");
  EXPECT_EQ(with_thousands(-10000), "-10,000");
  EXPECT_EQ(counted(1, "pass", "passes"), "1 pass");
  EXPECT_EQ(counted(0, "pass", "passes"), "0 passes");
  EXPECT_EQ(counted(12'345, "rank"), "12,345 ranks");
  EXPECT_EQ(with_thousands(-999), "-999");
  EXPECT_EQ(with_thousands(0), "0");
}

TEST(Int128, Parsing) {
  EXPECT_EQ(parse_int128("1_281_167"), 1281167);
  EXPECT_EQ(parse_int128("170141183460469231731687303715884105727"), kLargest);
  EXPECT_FALSE(parse_int128("170141183460469231731687303715884105728"));
  EXPECT_FALSE(parse_int128(""));
  EXPECT_FALSE(parse_int128("_"));
  EXPECT_FALSE(parse_int128("-1"));
  EXPECT_FALSE(parse_int128("1e3"));
}

TEST(Int128, Gcd) {
  EXPECT_EQ(gcd(0, 0), 0);
  EXPECT_EQ(gcd(-12, 18), 6);
  EXPECT_EQ(gcd(0, 5), 5);
}

TEST(IntervalValues, Arithmetic) {
  Interval a{1, 2, 3};
  Interval b{-2, 1, 4};
  EXPECT_EQ(a + b, (Interval{-1, 3, 7}));
  EXPECT_EQ(a - b, (Interval{-3, 1, 5}));
  EXPECT_EQ(-b, (Interval{-4, -1, 2}));
  EXPECT_EQ(a * b, (Interval{-6, 2, 12}));
  EXPECT_EQ(b / a, (Interval{-2, 0.5, 4}));
  EXPECT_EQ(max(a, b), (Interval{1, 2, 4}));
  EXPECT_EQ(min(a, b), (Interval{-2, 1, 3}));
}

TEST(IntervalValues, Comparisons) {
  EXPECT_EQ(less_equal({1, 2, 3}, {3, 4, 5}), Verdict::proved);
  EXPECT_EQ(less_equal({1, 2, 3}, {2, 4, 5}), Verdict::undecided);
  EXPECT_EQ(less_equal({4, 5, 6}, {1, 2, 3}), Verdict::refuted);
  EXPECT_EQ(less_equal(Interval::point(3), Interval::point(3)), Verdict::proved);
  EXPECT_EQ(less(Interval::point(3), Interval::point(3)), Verdict::refuted);
  EXPECT_EQ(less({1, 2, 3}, {3, 4, 5}), Verdict::undecided);
}

TEST(NearestName, PrefersCaseThenFewestEdits) {
  constexpr std::string_view known[] = {"memory", "model", "micro", "A100_SXM_80GB",
                                        "lr",     "B",     "b"};
  EXPECT_EQ(nearest_name("Memory", known), "memory");
  EXPECT_EQ(nearest_name("mdoel", known), "model");
  EXPECT_TRUE(near_name("mdoel", known).only);
  EXPECT_FALSE(near_name("stop", std::vector<std::string_view>{"step", "stoop"}).only);
  EXPECT_EQ(nearest_name("mikro", known), "micro");
  EXPECT_EQ(nearest_name("a100_sxm_80gb", known), "A100_SXM_80GB");
  EXPECT_EQ(nearest_name("rl", known), "lr");
  EXPECT_EQ(nearest_name("b", known), "B");
  EXPECT_EQ(nearest_name("B", known), "b");
  EXPECT_EQ(nearest_name("x", known), "");
  EXPECT_EQ(nearest_name("optimizer", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'm'), known), "");
}

TEST(OtherWords, NamesWhatOtherToolsCallDifferently) {
  constexpr std::string_view known[] = {"lr", "batch", "concat", "XL_2", "fp16", "gpus", "GPU"};
  EXPECT_EQ(same_meaning("learning_rate", known), "lr");
  EXPECT_EQ(same_meaning("batch_size", known), "batch");
  EXPECT_EQ(same_meaning("cat", known), "concat");
  EXPECT_EQ(same_meaning("float16", known), "fp16");
  EXPECT_EQ(same_meaning("xl2", known), "XL_2");
  EXPECT_EQ(same_meaning("gpu", known), "gpus");  // not the type that differs in case
  EXPECT_EQ(same_but_case("gpu", known), "GPU");
  EXPECT_EQ(same_meaning("lr", known), "");
  EXPECT_EQ(same_meaning("zebra", known), "");
  EXPECT_EQ(same_meaning("", known), "");
  EXPECT_EQ(same_meaning(std::string(100'000, 'm'), known), "");
  EXPECT_TRUE(is_foreign_library("torch"));
  EXPECT_FALSE(is_foreign_library("dit"));
}

TEST(Sources, PlacesAndLines) {
  SourceManager sources;
  FileId file = sources.add("a.dtp", "one\r\ntwo\n\nfour");
  EXPECT_EQ(sources.line_column(file, 0).line, 1u);
  EXPECT_EQ(sources.line_column(file, 5).line, 2u);
  EXPECT_EQ(sources.line_column(file, 5).column, 1u);
  EXPECT_EQ(sources.line_column(file, 14).line, 4u);
  EXPECT_EQ(sources.line_text(file, 1), "one");
  EXPECT_EQ(sources.line_text(file, 3), "");
  EXPECT_EQ(sources.line_text(file, 4), "four");
  EXPECT_EQ(sources.line_text(file, 5), "");
  EXPECT_EQ(sources.slice({file, 5, 8}), "two");
  EXPECT_EQ(sources.slice({file, 12, 99}), "ur");
}

TEST(Symbols, KnownNamesHaveTheirNumbers) {
  Interner names;
  EXPECT_EQ(names.intern("memory"), sym::memory);
  EXPECT_EQ(names.intern(""), Symbol());
  Symbol fresh = names.intern("zebra");
  EXPECT_EQ(names.intern("zebra"), fresh);
  EXPECT_EQ(names.text(fresh), "zebra");
}

TEST(Dates, DaysOfTheCalendarAlone) {
  auto day = read_date("2024-02-29");
  ASSERT_TRUE(day);
  EXPECT_EQ(std::chrono::sys_days(*day + std::chrono::months(1)),
            std::chrono::sys_days(*read_date("2024-03-29")));
  for (const char* none : {"2023-02-29", "2024-13-01", "2024-00-10", "2024-1-01", "20240101", "",
                           "2024-+1-01", "2024-01-0x", "tomorrow!!"})
    EXPECT_FALSE(read_date(none)) << none;
}

}  // namespace
}  // namespace dtp

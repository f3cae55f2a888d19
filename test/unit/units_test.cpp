#include <gtest/gtest.h>

#include "units/print.h"
#include "units/unit_table.h"

namespace dtp::units {
namespace {

PrefixSet si() {
  return {
      "si",
      {{"k", {1000, 1}}, {"M", {1000000, 1}}, {"G", {1000000000, 1}}, {"T", {1000000000000, 1}}},
      false};
}
PrefixSet small() {
  return {"si_small", {{"m", {1, 1000}}, {"u", {1, 1000000}}, {"n", {1, 1000000000}}}, false};
}
PrefixSet iec() {
  return {"iec", {{"Ki", {1 << 10, 1}}, {"Mi", {1 << 20, 1}}, {"Gi", {1 << 30, 1}}}, true};
}

class Units : public ::testing::Test {
 protected:
  void SetUp() override {
    table.add_family("Extent");
    table.add_family("Money");
    table.add_base_dimension("Time", "Extent");
    dollar = Dimension::base(*table.add_base_dimension("Dollar", "Money"));
    table.add_derived_dimension("Bandwidth", kMemoryDimension / kTimeDimension);
    EXPECT_EQ(table.add_unit({"B", "byte", "bytes"}, kMemoryDimension, {1, 1}, {si(), iec()}), "");
    EXPECT_EQ(table.add_unit({"b", "bit", "bits"}, kMemoryDimension, {1, 8}, {si()}), "");
    EXPECT_EQ(table.add_unit({"s", "second", "seconds"}, kTimeDimension, {1, 1}, {small()}), "");
    EXPECT_EQ(table.add_unit({"min", "minute", "minutes"}, kTimeDimension, {60, 1}, {}), "");
    EXPECT_EQ(table.add_unit({"h", "hour", "hours"}, kTimeDimension, {3600, 1}, {}), "");
    EXPECT_EQ(table.add_unit({"FLOP"}, kWorkDimension, {1, 1}, {si()}), "");
    EXPECT_EQ(table.add_unit({"J", "joule"}, kEnergyDimension, {1, 1}, {si(), small()}), "");
    EXPECT_EQ(table.add_unit({"step", "steps"}, Dimension::base(kStep), {1, 1}, {}), "");
    EXPECT_EQ(table.add_unit({"sample", "samples"}, Dimension::base(kSample), {1, 1}, {}), "");
    EXPECT_EQ(table.add_unit({"USD"}, dollar, {1, 1}, {}), "");
  }
  std::string shown(double value, const Dimension& dimension, bool decimal = false) {
    return print_quantity(table, value, dimension, decimal);
  }
  UnitTable table;
  Dimension dollar;
};

constexpr double kGiB = 1024.0 * 1024 * 1024;

TEST_F(Units, FindsPrefixedUnitsExactly) {
  auto gib = table.find("GiB");
  ASSERT_TRUE(gib);
  EXPECT_TRUE(gib->binary);
  EXPECT_TRUE(gib->prefixed);
  EXPECT_EQ(gib->symbol, "B");
  EXPECT_EQ(gib->scale.numerator, Int128{1} << 30);
  auto gb = table.find("Gb");
  ASSERT_TRUE(gb);
  EXPECT_EQ(gb->scale.numerator, 125000000);
  EXPECT_EQ(gb->scale.denominator, 1);
  EXPECT_FALSE(table.find("s")->prefixed);
  EXPECT_EQ(table.find("ms")->scale.denominator, 1000);
  EXPECT_FALSE(table.find("Kib"));
  EXPECT_FALSE(table.find("Gs"));
  EXPECT_FALSE(table.find(""));
  EXPECT_FALSE(table.find("k"));
}

TEST_F(Units, FindsQuotients) {
  auto rate = table.find("Gb/s");
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->name, "Gb/s");
  EXPECT_EQ(rate->dimension, kMemoryDimension / kTimeDimension);
  EXPECT_EQ(rate->scale.numerator, 125000000);
  auto price = table.find("USD/h");
  ASSERT_TRUE(price);
  EXPECT_EQ(price->scale.denominator, 3600);
  EXPECT_FALSE(table.find("GB/"));
  EXPECT_FALSE(table.find("/s"));
  EXPECT_FALSE(table.find("GB/x"));
}

TEST_F(Units, RefusesSpellingsThatAreTaken) {
  EXPECT_EQ(table.add_unit({"x", "B"}, kMemoryDimension, {1, 1}, {}), "B");
  EXPECT_FALSE(table.find("x"));
  // A prefix may not make an old name, nor an old prefix the new one.
  EXPECT_EQ(table.add_unit({"in"}, kTimeDimension, {1, 1}, {small()}), "min");
  EXPECT_EQ(table.add_unit({"GiB"}, kMemoryDimension, {1, 1}, {}), "GiB");
  EXPECT_EQ(table.add_unit({"y", "y"}, kMemoryDimension, {1, 1}, {}), "y");
}

TEST_F(Units, NearestSpelling) {
  EXPECT_EQ(table.nearest("GIB"), "GiB");
  EXPECT_EQ(table.nearest("gb"), "GB");
  EXPECT_EQ(table.nearest("GB/sec"), "");
  EXPECT_EQ(table.nearest("GB/secnd"), "GB/second");
  EXPECT_EQ(table.nearest("TFLOPS"), "TFLOP/s");
  EXPECT_EQ(table.nearest("Gbps"), "Gb/s");
  EXPECT_EQ(table.nearest("stepz"), "steps");
  EXPECT_EQ(table.nearest("hourz"), "hours");
  EXPECT_EQ(table.nearest("zebra_crossing"), "");
}

TEST_F(Units, DescribesDimensions) {
  EXPECT_EQ(table.describe({}), "plain number");
  EXPECT_EQ(table.describe(kMemoryDimension), "Memory");
  EXPECT_EQ(table.describe(kMemoryDimension / kTimeDimension), "Bandwidth (Memory / Time)");
  EXPECT_EQ(table.describe(Dimension() / kTimeDimension), "1 / Time");
  EXPECT_EQ(table.describe(kMemoryDimension.power(2) / kTimeDimension / kWorkDimension),
            "Memory^2 / (Time * Work)");
  EXPECT_EQ(table.spellings(kTimeDimension), (std::vector<std::string>{"s", "min", "h"}));
  EXPECT_EQ(table.spellings(kMemoryDimension / kTimeDimension), (std::vector<std::string>{"GB/s"}));
  EXPECT_EQ(table.spellings(dollar / kTimeDimension), (std::vector<std::string>{"USD/h"}));
}

TEST_F(Units, SpeaksOfDimensions) {
  EXPECT_EQ(table.spoken({}), "a plain number");
  EXPECT_EQ(table.spoken(kMemoryDimension), "a memory");
  EXPECT_EQ(table.spoken(kEnergyDimension), "an energy");
  EXPECT_EQ(table.spoken(kMemoryDimension / kTimeDimension), "a bandwidth");
  EXPECT_EQ(table.spoken(Dimension() / kTimeDimension), "a quantity of 1 / Time");
  EXPECT_EQ(table.examples(kMemoryDimension), (std::vector<std::string>{"GiB", "GB"}));
  EXPECT_EQ(table.examples(dollar / kTimeDimension), (std::vector<std::string>{"USD/h"}));
}

TEST_F(Units, Dimensions) {
  EXPECT_EQ(kMemoryDimension.power(4).root(2), kMemoryDimension.power(2));
  EXPECT_FALSE(kMemoryDimension.power(3).root(2));
  EXPECT_FALSE(kMemoryDimension.root(0));
  EXPECT_EQ(kMemoryDimension.power(2'000'000'000).exponent(kMemory), 100);
  EXPECT_TRUE((kMemoryDimension / kMemoryDimension).is_none());
}

TEST_F(Units, AtMostThirtyTwoBaseDimensions) {
  while (table.base_dimensions().size() < kMaxBaseDimensions)
    ASSERT_TRUE(table.add_base_dimension("D" + std::to_string(table.base_dimensions().size()), ""));
  EXPECT_FALSE(table.add_base_dimension("OneMore", ""));
  EXPECT_EQ(table.add_base_dimension("Memory", ""), 0u);
}

TEST_F(Units, PrintsMemory) {
  EXPECT_EQ(shown(79.2 * kGiB, kMemoryDimension), "79.2 GiB");
  EXPECT_EQ(shown(2.5 * kGiB, kMemoryDimension), "2.5 GiB");
  EXPECT_EQ(shown(24 * kGiB, kMemoryDimension), "24 GiB");
  EXPECT_EQ(shown(1012 * kGiB, kMemoryDimension), "1012 GiB");
  EXPECT_EQ(shown(1023.9 * kGiB, kMemoryDimension), "1 TiB");
  EXPECT_EQ(shown(512, kMemoryDimension), "512 B");
  EXPECT_EQ(shown(0, kMemoryDimension), "0 B");
  EXPECT_EQ(shown(-2.5 * kGiB, kMemoryDimension), "-2.5 GiB");
  EXPECT_EQ(shown(80e9, kMemoryDimension, true), "80 GB");
  EXPECT_EQ(shown(2.039e12, kMemoryDimension / kTimeDimension), "2.04 TB/s");
}

TEST_F(Units, PrintsTimeAndWork) {
  EXPECT_EQ(shown(0.0612, kTimeDimension), "61.2 ms");
  EXPECT_EQ(shown(0.61, kTimeDimension), "610 ms");
  EXPECT_EQ(shown(90, kTimeDimension), "90 s");
  EXPECT_EQ(shown(1800, kTimeDimension), "30 min");
  EXPECT_EQ(shown(36 * 3600, kTimeDimension), "36 h");
  EXPECT_EQ(shown(5 * 86400, kTimeDimension), "5 days");
  EXPECT_EQ(shown(0, kTimeDimension), "0 s");
  EXPECT_EQ(shown(118.6e9, kWorkDimension), "119 GFLOP");
  EXPECT_EQ(shown(312e12, kWorkDimension / kTimeDimension), "312 TFLOP/s");
  EXPECT_EQ(shown(3.1e23, kWorkDimension), "3.1e23 FLOP");
  EXPECT_EQ(shown(3.6e6, kEnergyDimension), "1 kWh");
  EXPECT_EQ(shown(400, kEnergyDimension / kTimeDimension), "400 W");
}

TEST_F(Units, PrintsMoneyCountsAndTheRest) {
  EXPECT_EQ(shown(1234.4, dollar), "1234 USD");
  EXPECT_EQ(shown(2.5, dollar), "2.50 USD");
  EXPECT_EQ(shown(40.97 / 3600, dollar / kTimeDimension), "40.97 USD/h");
  EXPECT_EQ(shown(400000, Dimension::base(kStep)), "400,000 steps");
  EXPECT_EQ(shown(1, Dimension::base(kStep)), "1 step");
  EXPECT_EQ(shown(2134.2, Dimension::base(kSample) / kTimeDimension), "2134 samples/s");
  EXPECT_EQ(shown(12, kMemoryDimension.power(2)), "12 Memory^2");
  EXPECT_EQ(shown(256, {}), "256");
}

TEST_F(Units, PrintsNumbers) {
  EXPECT_EQ(print_number(9999), "9999");
  EXPECT_EQ(print_number(675129632), "675,129,632");
  EXPECT_EQ(print_number(0.0001), "0.0001");
  EXPECT_EQ(print_number(1e-5), "1e-5");
  EXPECT_EQ(print_number(12345.6), "12,300");
  EXPECT_EQ(print_number(3e23), "3e23");
  EXPECT_EQ(print_number(-2.345), "-2.35");
  EXPECT_EQ(print_number(1.0 / 0.0), "infinity");
  EXPECT_EQ(print_in(71.9 * kGiB, *table.find("GiB")), "71.9 GiB");
}

TEST_F(Units, PrintsIntervals) {
  auto text = [&](Interval value, const Dimension& dimension) {
    return print_interval(table, value, dimension);
  };
  EXPECT_EQ(text({91.0 * kGiB, 93.4 * kGiB, 96.2 * kGiB}, kMemoryDimension),
            "93.4 GiB (91.0 to 96.2)");
  EXPECT_EQ(text(Interval::point(24 * kGiB), kMemoryDimension), "24 GiB");
  EXPECT_EQ(text({23.999 * kGiB, 24 * kGiB, 24.001 * kGiB}, kMemoryDimension), "24 GiB");
  EXPECT_EQ(text({1e-6, 1, 1e6}, kTimeDimension), "1 s (1 us to 11.6 days)");
  EXPECT_EQ(text({399999, 400000, 400001}, Dimension::base(kStep)),
            "400,000 steps (399,999 to 400,001)");
  // The unit stands once, and each end has three digits.
  EXPECT_EQ(text({0.00521, 0.0101, 0.0331}, dollar), "0.0101 USD (0.00521 to 0.0331)");
  EXPECT_EQ(text({0.0584, 0.13, 0.5953}, dollar), "0.13 USD (0.0584 to 0.595)");
}

TEST_F(Units, PrintsInTheUnitsOfTheAuthor) {
  auto unit = [&](const char* name) { return *table.find(name); };
  EXPECT_EQ(print_as_written(60, unit("min")), "1 min");
  EXPECT_EQ(print_as_written(4500, unit("h")), "1.25 h");
  EXPECT_EQ(print_as_written(1.5 * kGiB, unit("MiB")), "1536 MiB");
  EXPECT_EQ(print_as_written(400'000, unit("steps")), "400,000 steps");
  EXPECT_EQ(print_interval_in({54, 60, 72}, unit("min")), "1 min (0.9 to 1.2)");
  EXPECT_EQ(print_written(0.9999), "0.9999");
  EXPECT_EQ(print_written(1e-5), "1e-5");
  EXPECT_EQ(print_interval_in(Interval::point(12345.64), unit("s"), 6), "12,345.6 s");
  EXPECT_EQ(print_interval_in(Interval::point(0.99996), unit("s"), 4), "1 s");
  EXPECT_EQ(print_interval_in(Interval::point(0.99996), unit("s"), 5), "0.99996 s");
  EXPECT_EQ(print_percent(Interval::point(0.9)), "90%");
  EXPECT_EQ(print_percent(Interval::point(0.99996), 5), "99.996%");
  EXPECT_EQ(print_percent({0.291, 0.407, 0.493}), "40.7% (29.1 to 49.3)");
}

TEST_F(Units, PrintsMultiplyAccumulates) {
  EXPECT_EQ(print_macs(0), "0 MAC");
  EXPECT_EQ(print_macs(12), "12 MAC");
  EXPECT_EQ(print_macs(45'000), "45 kMAC");
  EXPECT_EQ(print_macs(3.2e6), "3.2 MMAC");
  EXPECT_EQ(print_macs(118.6e9), "118.6 GMAC");
  EXPECT_EQ(print_macs(5e13), "50 TMAC");
}

}  // namespace
}  // namespace dtp::units

// Schedules, shuffles, checksums and buckets: small things with exact answers.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>

#include "runtime/data/shuffle.h"
#include "runtime/parallel/buckets.h"
#include "runtime/store/checksum.h"
#include "runtime/train/schedule.h"

namespace dtp::runtime {
namespace {

using train::rate_at;

TEST(Schedule, WarmsUpThenFalls) {
  Schedule s;
  s.kind = ScheduleKind::linear;
  s.warmup = 4;
  s.decay = 14;
  s.floor = 0.1;
  EXPECT_DOUBLE_EQ(rate_at(s, 0, 100), 0.25);
  EXPECT_DOUBLE_EQ(rate_at(s, 3, 100), 1);
  EXPECT_DOUBLE_EQ(rate_at(s, 4, 100), 1);
  EXPECT_DOUBLE_EQ(rate_at(s, 9, 100), 0.55);
  EXPECT_DOUBLE_EQ(rate_at(s, 14, 100), 0.1);
  EXPECT_DOUBLE_EQ(rate_at(s, 99, 100), 0.1);
}

TEST(Schedule, CosineEndsWithTheRun) {
  Schedule s;
  s.kind = ScheduleKind::cosine;
  EXPECT_DOUBLE_EQ(rate_at(s, 0, 10), 1);
  EXPECT_DOUBLE_EQ(rate_at(s, 5, 10), 0.5);
  EXPECT_NEAR(rate_at(s, 10, 10), 0, 1e-15);
}

TEST(Schedule, StepsMultiply) {
  Schedule s;
  s.kind = ScheduleKind::steps;
  s.at = {10, 20};
  s.factor = 0.1;
  EXPECT_DOUBLE_EQ(rate_at(s, 9, 30), 1);
  EXPECT_DOUBLE_EQ(rate_at(s, 10, 30), 0.1);
  EXPECT_NEAR(rate_at(s, 25, 30), 0.01, 1e-15);
}

TEST(Shuffle, EachPlaceOnce) {
  for (uint64_t n : {1, 2, 3, 5, 16, 17, 1000}) {
    std::set<uint64_t> seen;
    size_t unmoved = 0;
    for (uint64_t i = 0; i < n; ++i) {
      uint64_t place = data::shuffled(i, n, 42);
      EXPECT_LT(place, n);
      seen.insert(place);
      unmoved += place == i;
    }
    EXPECT_EQ(seen.size(), n);
    if (n == 1000) {
      EXPECT_LT(unmoved, 20U);
    }
  }
}

TEST(Shuffle, EachEpochAnew) {
  size_t same = 0;
  for (uint64_t i = 0; i < 1000; ++i)
    same += data::shuffled(i, 1000, 1) == data::shuffled(i, 1000, 2);
  EXPECT_LT(same, 20U);
}

uint64_t sum_of(std::string_view text, size_t part) {
  store::Checksum sum;
  for (size_t i = 0; i < text.size(); i += part)
    sum.add(text.data() + i, std::min(part, text.size() - i));
  return sum.value();
}

TEST(Checksum, SeesEachBitAndLengthButNotTheParts) {
  std::string text(1000, 'a');
  uint64_t whole = sum_of(text, 1000);
  EXPECT_EQ(whole, sum_of(text, 7));
  EXPECT_NE(whole, sum_of(text + '\0', 1000));
  for (size_t i = 0; i < text.size(); ++i) {
    text[i] ^= 4;
    EXPECT_NE(whole, sum_of(text, 1000)) << i;
    text[i] ^= 4;
  }
}

// A group of two whose other rank has the same gradients.
struct Twin : parallel::Group {
  std::vector<int64_t> sizes;
  std::function<void()> sum(at::Tensor tensor) override {
    sizes.push_back(tensor.numel());
    tensor.mul_(2);
    return [] {};
  }
  void broadcast(at::Tensor) override {}
};

TEST(Buckets, LastParametersFirstWholeTensors) {
  std::vector<at::Tensor> parameters;
  for (int64_t size : {100, 10, 10, 1}) {
    parameters.push_back(at::zeros({size}).set_requires_grad(true));
    parameters.back().mutable_grad() = at::arange(size, at::kFloat);
  }
  for (bool views : {false, true}) {
    Twin twin;
    parallel::Buckets buckets(parameters, 8, 60, views);
    buckets.reduce(twin, 2);
    // 4 bytes do not fill 8, so 1 and 10 leave together; then 10 and 100.
    EXPECT_EQ(twin.sizes, (std::vector<int64_t>{11, 110}));
    for (const at::Tensor& p : parameters)
      EXPECT_TRUE(at::equal(p.grad(), at::arange(p.numel(), at::kFloat)));
    EXPECT_EQ(parameters[0].grad().is_alias_of(parameters[1].grad()), views);
  }
}

}  // namespace
}  // namespace dtp::runtime

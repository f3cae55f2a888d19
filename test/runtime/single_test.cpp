// Operations that draw numbers, make tables, or have more to be asked than one formula.
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

TEST(Random, DropoutScalesWhatItKeeps) {
  at::manual_seed(1);
  at::Tensor out = run_one("dropout", {{at::ones({100, 100})}, {{100, 100}}, {}, {0.25}});
  at::Tensor kept = out > 0;
  EXPECT_NEAR(kept.to(at::kDouble).mean().item<double>(), 0.75, 0.02);
  EXPECT_TRUE(at::allclose(out.masked_select(kept), at::full({}, 1 / 0.75f)));
}

TEST(Random, StochasticDepthDropsWholeSamples) {
  at::manual_seed(1);
  at::Tensor out = run_one("stochastic_depth", {{at::ones({1000, 3})}, {{1000, 3}}, {}, {0.4}});
  EXPECT_TRUE(at::equal(out.select(1, 0), out.select(1, 2)));
  EXPECT_NEAR((out > 0).to(at::kDouble).mean().item<double>(), 0.6, 0.05);
  EXPECT_NEAR(out.max().item<double>(), 1 / 0.6, 1e-5);
}

TEST(Random, AttentionDropsWeights) {
  at::manual_seed(1);
  Given given{{at::zeros({2, 2, 50, 4}), at::zeros({2, 2, 50, 4}), at::ones({2, 2, 50, 4})},
              {{2, 2, 50, 4}},
              {},
              {0, 0.5}};
  at::Tensor out = run_one("attention", given);
  EXPECT_NEAR(out.mean().item<double>(), 1, 0.05);
  EXPECT_GT(out.std().item<double>(), 0.05);
}

TEST(Random, NumbersLieWhereTheyShould) {
  at::manual_seed(1);
  at::Tensor whole = run_one("random_int", {{}, {{1000}}, {7}});
  EXPECT_EQ(whole.scalar_type(), at::kLong);
  EXPECT_EQ(whole.min().item<int64_t>(), 0);
  EXPECT_EQ(whole.max().item<int64_t>(), 6);
  at::Tensor normal = run_one("random_normal_like", {{at::zeros({100, 100})}, {{100, 100}}});
  EXPECT_NEAR(normal.mean().item<double>(), 0, 0.05);
  EXPECT_NEAR(normal.std().item<double>(), 1, 0.05);
  at::Tensor uniform = run_one("random_uniform", {{}, {{100, 100}}});
  EXPECT_NEAR(uniform.mean().item<double>(), 0.5, 0.05);
  EXPECT_NEAR(uniform.min().item<double>(), 0, 0.05);
  EXPECT_NEAR(uniform.max().item<double>(), 1, 0.05);
}

TEST(Random, LabelsAreReplaced) {
  at::manual_seed(1);
  at::Tensor y = at::zeros({1000}, at::kLong);
  at::Tensor out = run_one("replace_at_random", {{y}, {{1000}}, {9}, {0.3}});
  EXPECT_NEAR((out == 9).to(at::kDouble).mean().item<double>(), 0.3, 0.05);
  EXPECT_TRUE(((out == 9) | (out == 0)).all().item<bool>());
  EXPECT_TRUE(at::equal(y, at::zeros({1000}, at::kLong)));
  EXPECT_TRUE(run_one("replace_at_random", {{y}, {{1000}}, {9}, {0}}).is_same(y));
}

TEST(Random, TheSameSeedDrawsTheSame) {
  std::vector<at::Tensor> twice;
  for (int i = 0; i < 2; ++i) {
    at::manual_seed(3);
    twice.push_back(run_one("dropout", {{at::ones({64})}, {{64}}, {}, {0.5}}));
  }
  EXPECT_TRUE(at::equal(twice[0], twice[1]));
}

TEST(Tables, CountAndFill) {
  EXPECT_TRUE(at::equal(run_one("arange", {{}, {{4}}}), at::tensor({0, 1, 2, 3}, at::kLong)));
  EXPECT_TRUE(at::equal(run_one("full", {{}, {{2, 3}}, {}, {0.5}}), at::ones({2, 3}) / 2));
}

TEST(Tables, SinusoidTurnsByEachFrequency) {
  at::Tensor out = run_one("sinusoid", {{at::tensor({0, 3}, at::kLong)}, {{2, 4}}});
  EXPECT_TRUE(at::allclose(out[0], at::tensor({1.0f, 1.0f, 0.0f, 0.0f})));
  EXPECT_TRUE(at::allclose(
      out[1], at::tensor({std::cos(3.0f), std::cos(0.03f), std::sin(3.0f), std::sin(0.03f)})));
}

// The last row of a 4 x 4 image of windows of 2, shifted by 1: the windows to the right hold a
// column that came from the left.
TEST(Tables, WindowMaskPartsWhatWasNoNeighbour) {
  at::Tensor mask = run_one("window_mask", {{}, {{4, 4, 4}}, {4, 4, 2, 1}});
  EXPECT_TRUE(at::equal(mask[0], at::zeros({4, 4})));
  at::Tensor right = at::tensor(
      {0, -100, 0, -100, -100, 0, -100, 0, 0, -100, 0, -100, -100, 0, -100, 0}, at::kFloat);
  EXPECT_TRUE(at::equal(mask[1], right.view({4, 4})));
  EXPECT_TRUE(at::equal(mask[3], (at::eye(4) - 1) * 100));
  at::Tensor still = run_one("window_mask", {{}, {{4, 4, 4}}, {4, 4, 2, 0}});
  EXPECT_TRUE(at::equal(still, at::zeros({4, 4, 4})));
}

// T5's own numbers, for 32 buckets to a distance of 128.
TEST(Tables, RelativeBuckets) {
  at::Tensor both = run_one("relative_buckets", {{}, {{1, 200}}, {32, 1, 128}})[0];
  EXPECT_EQ(both[0].item<int64_t>(), 0);
  EXPECT_EQ(both[7].item<int64_t>(), 16 + 7);
  EXPECT_EQ(both[8].item<int64_t>(), 16 + 8);
  EXPECT_EQ(both[127].item<int64_t>(), 16 + 15);
  EXPECT_EQ(both[199].item<int64_t>(), 16 + 15);
  at::Tensor before = run_one("relative_buckets", {{}, {{200, 1}}, {32, 0, 128}}).select(1, 0);
  EXPECT_EQ(before[15].item<int64_t>(), 15);
  EXPECT_EQ(before[199].item<int64_t>(), 31);
  EXPECT_EQ(run_one("relative_buckets", {{}, {{1, 9}}, {32, 0, 128}}).sum().item<int64_t>(), 0);
}

// No token sees a later one; of a window of two it sees itself and the one before.
TEST(Tables, CausalMaskHidesWhatIsLaterAndWhatIsLongAgo) {
  const double never = -std::numeric_limits<double>::infinity();
  at::Tensor all = run_one("causal_mask", {{}, {{1, 3, 3}}})[0];
  EXPECT_TRUE(at::equal(
      all,
      at::tensor({0.0, never, never, 0.0, 0.0, never, 0.0, 0.0, 0.0}, at::kFloat).view({3, 3})));
  at::Tensor near = run_one("causal_mask", {{}, {{1, 3, 3}}, {2}})[0];
  EXPECT_TRUE(at::equal(
      near,
      at::tensor({0.0, never, never, 0.0, 0.0, never, never, 0.0, 0.0}, at::kFloat).view({3, 3})));
}

// The slopes that the authors print for 8 heads are 1/2 to 1/256; 12 heads have four more between.
TEST(Tables, AlibiFallsWithEachHead) {
  at::Tensor eight = run_one("alibi", {{}, {{8, 1, 3}}});
  EXPECT_TRUE(at::equal(eight[0][0], at::tensor({0.0, 0.5, 1.0}, at::kFloat)));
  EXPECT_EQ(eight[7][0][1].item<float>(), 1.0f / 256);
  at::Tensor twelve = run_one("alibi", {{}, {{12, 1, 2}}});
  EXPECT_EQ(twelve[7][0][1].item<float>(), 1.0f / 256);
  EXPECT_FLOAT_EQ(twelve[8][0][1].item<float>(), std::pow(2.0f, -0.5f));
  EXPECT_FLOAT_EQ(twelve[11][0][1].item<float>(), std::pow(2.0f, -3.5f));
}

TEST(Copies, EachIterationPutsItsPart) {
  at::Tensor x = drawn({3, 2});
  x.set_requires_grad(true);
  at::Tensor room = run_one("room_like", {{x}, {{3, 2}}});
  for (int64_t i = 0; i < 3; ++i) {
    at::Tensor part = run_one("pick", {{x}, {{1, 2}}, {}, {}, {}, {}, i});
    room = run_one("put", {{room, part * static_cast<double>(i + 1)}, {{3, 2}}, {}, {}, {}, {}, i});
  }
  at::Tensor factors = at::tensor({1.0, 2.0, 3.0}, at::kDouble).unsqueeze(1);
  EXPECT_TRUE(at::allclose(room, x * factors));
  torch::autograd::backward({room.sum()}, {});
  EXPECT_TRUE(at::allclose(x.grad(), factors.expand({3, 2})));
}

TEST(Processes, WhatNeedsSeveralIsRefusedByName) {
  at::Tensor x = drawn({2, 3});
  for (const std::string name : {"gather_parts", "own_part"}) {
    try {
      run(name, {{x}, {{2, 3}}});
      ADD_FAILURE() << name;
    } catch (const std::runtime_error& e) {
      EXPECT_EQ(std::string(e.what()).rfind(name + ":", 0), 0u);
    }
  }
  Given given{{x}, {{2, 4}}, {0, 0, 0, 1}, {}, {}, {drawn({4, 3})}};
  EXPECT_THROW(run("linear", given), std::runtime_error);
}

TEST(BatchNorm, MovesItsStatistics) {
  at::Tensor x = drawn({8, 3, 2, 2}).to(at::kFloat), mean = at::zeros({3}),
             variance = at::ones({3}), batches = at::zeros({}, at::kLong);
  run("batch_norm", {{x},
                     {{8, 3, 2, 2}},
                     {},
                     {1e-5},
                     {},
                     {at::ones({3}), at::zeros({3}), mean, variance, batches}});
  EXPECT_EQ(batches.item<int64_t>(), 1);
  EXPECT_TRUE(at::allclose(mean, x.mean({0, 2, 3}) * 0.1, 1e-4, 1e-6));
  EXPECT_TRUE(at::allclose(variance, x.var({0, 2, 3}) * 0.1 + 0.9, 1e-4, 1e-6));
}

struct Autocast {
  Autocast() {
    at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    at::autocast::set_cpu_enabled(true);
  }
  ~Autocast() {
    at::autocast::clear_cache();
    at::autocast::set_cpu_enabled(false);
  }
};

// 16-bit rows beside weights of 32 bits: what autocast leaves of a product.
TEST(Precision, NormalisationsTake16Bits) {
  Autocast on;
  at::Tensor x = drawn({2, 4, 6}).to(at::kBFloat16), one = at::ones({4}), none = at::zeros({4});
  at::Tensor layer =
      run_one("layer_norm", {{x.transpose(1, 2)}, {{2, 6, 4}}, {}, {1e-5}, {}, {one, none}});
  at::Tensor group = run_one("group_norm", {{x}, {{2, 4, 6}}, {2}, {1e-5}, {}, {one, none}});
  at::Tensor rms = run_one("rms_norm", {{x.transpose(1, 2)}, {{2, 6, 4}}, {}, {1e-6}, {}, {one}});
  EXPECT_EQ(layer.scalar_type(), at::kBFloat16);
  EXPECT_EQ(group.scalar_type(), at::kBFloat16);
  EXPECT_EQ(rms.scalar_type(), at::kFloat);
  EXPECT_NEAR(layer.to(at::kFloat).mean().item<double>(), 0, 0.02);
  EXPECT_NEAR(group.to(at::kFloat).var().item<double>(), 1, 0.1);
  EXPECT_EQ(run_one("to_fp32", {{x}, {{2, 4, 6}}}).scalar_type(), at::kFloat);
}

TEST(Precision, ProductsOfPermutedRowsRunIn16Bits) {
  at::Tensor x = drawn({2, 3, 5}).to(at::kFloat), weight = drawn({4, 3}).to(at::kFloat);
  Given given{{x.transpose(1, 2)}, {{2, 5, 4}}, {}, {}, {}, {weight}};
  at::Tensor exact = run_one("linear", given);
  Autocast on;
  at::Tensor rounded = run_one("linear", given);
  EXPECT_EQ(rounded.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(at::allclose(rounded.to(at::kFloat), exact, 0.05, 0.05));
}

// Of predicted noise that is right and a variance that is the true one nothing is left.
TEST(VariationalBound, IsLeastAtTheTruth) {
  at::Tensor noise = at::randn({2, 1, 4, 4}), t = at::tensor({10, 500}, at::kLong);
  auto bound = [&](const at::Tensor& predicted, double variance) {
    return run_one("variational_bound",
                   {{predicted, at::full({2, 1, 4, 4}, variance), noise, t}, {{}}});
  };
  EXPECT_NEAR(bound(noise, -1).item<double>(), 0, 1e-6);
  EXPECT_GT(bound(noise, 0.5).item<double>(), 1e-4);
  EXPECT_GT(bound(noise + 1, -1).item<double>(), 1e-4);
}

// The first step by the weight of a bin, worked out in double: its true variance stands for it.
TEST(VariationalBound, TheFirstStepCountsBits) {
  at::Tensor noise = at::zeros({1, 1, 1, 1}), t = at::zeros({1}, at::kLong);
  double made = run_one("variational_bound", {{noise, at::ones({1, 1, 1, 1}), noise, t}, {{}}})
                    .item<double>();
  double deviation = std::sqrt(1e-4), weight = std::erf(1 / 255.0 / deviation / std::sqrt(2));
  EXPECT_NEAR(made, -std::log2(weight), 1e-4);
}

TEST(VariationalBound, TrainsTheVariance) {
  at::Tensor variance = at::zeros({2, 1, 2, 2}).set_requires_grad(true);
  at::Tensor t = at::tensor({0, 300}, at::kLong), noise = at::randn({2, 1, 2, 2});
  at::Tensor bits = run_one("variational_bound", {{noise * 0.9, variance, noise, t}, {{}}});
  torch::autograd::backward({bits}, {});
  EXPECT_TRUE((variance.grad().abs() > 0).all().item<bool>());
}

}  // namespace
}  // namespace dtp::test

// Whole estimates: memory with what the process takes, and time against published runs.
#include <gtest/gtest.h>

#include "estimate/estimates.h"
#include "step/static_memory.h"
#include "unit/dit_graph.h"
#include "unit/engine_rules.h"

namespace dtp::estimate {
namespace {

using graph::DType;

constexpr double kMiB = 1024.0 * 1024;

// One A100 of 80 GB with PyTorch 2 as stdlib/hardware/nvidia.dtp and stdlib/frameworks say.
plan::Settings one_a100(const graph::Graph& graph) {
  plan::Settings s;
  s.precision.compute = DType::tf32;
  for (const graph::Parameter& p : graph.parameters) {
    if (!p.trainable) continue;
    plan::OptimizerState moment{"moment", DType::fp32, p.elements(), false};
    s.optimizer.states.push_back({moment, moment});
  }
  s.optimizer.name = "adamw";
  s.optimizer.temporaries = 4 * graph.trainable_count();
  plan::Gpu& gpu = s.hardware.gpu;
  gpu.bandwidth = Interval::point(2039e9);
  gpu.peak = {{DType::fp32, 19.5e12}, {DType::tf32, 156e12}, {DType::fp16, 312e12}};
  gpu.measured = {{DType::fp32, {18.2e12, 19.2e12, 20.2e12}},
                  {DType::tf32, {104e12, 116e12, 128e12}},
                  {DType::fp16, {230e12, 258.7e12, 271e12}}};
  gpu.context.value = {430 * kMiB, 490 * kMiB, 620 * kMiB};
  gpu.power = 400;
  plan::Framework& f = s.framework;
  f.backend = "cuda";
  f.mechanisms = test::pytorch_2_cuda();
  f.workspace.value = {16.25 * kMiB, 16.25 * kMiB, 65 * kMiB};
  f.communicator.value = {512 * kMiB, 717 * kMiB, 1536 * kMiB};
  f.fragmentation.value = {0.005, 0.03, 0.10};
  f.launch_cost.value = {3.5e-6, 5e-6, 9e-6};
  f.matmul_efficiency.value = {0.45, 0.68, 0.87};
  f.attention_efficiency.value = {0.2, 0.45, 0.7};
  f.bandwidth_efficiency.value = {0.6, 0.85, 0.95};
  f.communication_efficiency.value = {0.35, 0.55, 0.78};
  s.ema = 0.9999;
  s.batch = {128, 128, 1, {}, {}};
  return s;
}

void use_fp16(plan::Settings& s) {
  s.precision.autocast = s.precision.cast_cache = true;
  s.precision.compute = DType::fp16;
}

struct Estimate : testing::Test {
  graph::Graph graph = test::DitMaker({}).with_mse();
  plan::Settings settings = one_a100(graph);
  Estimator estimator{graph};
};

TEST_F(Estimate, TermsSumToThePeak) {
  settings.parallel.ranks = settings.hardware.gpus_per_node = 8;
  settings.hardware.inside.bandwidth = 300e9;
  for (bool fp16 : {false, true})
    for (plan::Recompute recompute : {plan::Recompute::none, plan::Recompute::full})
      for (int64_t accumulation : {1, 4}) {
        plan::Settings s = settings;
        if (fp16) use_fp16(s);
        s.recompute = recompute;
        s.batch.accumulation = accumulation;
        Memory m = estimator.memory(s);
        Interval sum;
        for (const auto& [name, value] : terms_at_peak(m)) sum = sum + value.value;
        EXPECT_NEAR(sum.likely, m.peak.value.likely, 1);
        EXPECT_NEAR(sum.lo, m.peak.value.lo, 1);
        EXPECT_NEAR(sum.hi, m.peak.value.hi, 1);
        double largest = 0;
        for (const Interval& phase : m.phases) largest = std::max(largest, phase.likely);
        EXPECT_NEAR(largest, m.peak.value.likely, 1);
      }
}

TEST_F(Estimate, TermsSumToThePeakForEveryOptimizer) {
  Int128 parameters = 4 * graph.trainable_count();
  for (size_t states : {0, 1, 2})
    for (Int128 temporaries : {Int128{0}, parameters, 2 * parameters})
      for (int64_t micro : {1, 32})
        for (bool clip : {false, true}) {
          plan::Settings s = settings;
          for (auto& list : s.optimizer.states) list.resize(states);
          s.optimizer.temporaries = temporaries;
          s.batch = {micro, micro, 1, {}, {}};
          s.clip = clip;
          s.ema.reset();
          Memory m = estimator.memory(s);
          Interval sum;
          for (const auto& [name, term] : terms_at_peak(m)) sum = sum + term.value;
          EXPECT_NEAR(sum.likely, m.peak.value.likely, 1);
          EXPECT_NEAR(sum.lo, m.peak.value.lo, 1);
          EXPECT_NEAR(sum.hi, m.peak.value.hi, 1);
        }
}

// The gradients of earlier micro-batches are there when a later one runs.
TEST_F(Estimate, AccumulationKeepsGradients) {
  settings.batch.micro = 16;
  Memory one = estimator.memory(settings);
  settings.batch.accumulation = 8;
  Memory many = estimator.memory(settings);
  double gradients = 4 * static_cast<double>(graph.trainable_count());
  double rise = many.phases[0].likely - one.phases[0].likely;
  EXPECT_NEAR(rise / gradients, 1.03, 0.01);  // with its share of fragmentation
}

TEST_F(Estimate, BucketsAreGradientsAgain) {
  settings.parallel.ranks = settings.hardware.gpus_per_node = 8;
  settings.hardware.inside.bandwidth = 300e9;
  Memory copied = estimator.memory(settings);
  settings.parallel.gradient_as_bucket_view = true;
  Memory viewed = estimator.memory(settings);
  double gradients = 4 * static_cast<double>(graph.trainable_count());
  double fewer = copied.communication.value.likely - viewed.communication.value.likely;
  EXPECT_NEAR(fewer / gradients, 1, 0.001);
  EXPECT_LT(viewed.phases[3].likely, copied.phases[3].likely);
}

TEST_F(Estimate, OnACpuTensorBytesArePoints) {
  settings.framework.backend = "cpu";
  settings.framework.mechanisms = test::libtorch_1_13_cpu();
  settings.framework.allocator_round = 1;
  settings.framework.workspace.value = settings.framework.fragmentation.value = {};
  settings.optimizer.step = plan::StepKind::cpu;
  settings.ema.reset();
  settings.batch = {1, 1, 1, {}, {}};
  Memory m = estimator.memory(settings);
  EXPECT_TRUE(m.allocated.value.is_point());
  // Measured: model 2,700,518,528, states twice the trained part, inputs z, noise, t and y.
  EXPECT_EQ(static_cast<int64_t>(m.exact.before),
            2'700'518'528 + 2 * 2'699'338'880 + 2 * 16'384 + 2 * 8);
  EXPECT_EQ(static_cast<int64_t>(m.exact.backward_peak), 2'700'551'300);
}

// chuanyangjin/fast-DiT on one A100, batch 128, every block recomputed, latents made before.
TEST_F(Estimate, TimeOfFastDit) {
  settings.recompute = plan::Recompute::full;
  Interval tf32 = estimator.time(settings).step.value;
  EXPECT_NEAR(tf32.likely, 1.786, 0.1 * 1.786);
  EXPECT_TRUE(tf32.lo <= 1.786 && 1.786 <= tf32.hi);
  use_fp16(settings);
  Interval fp16 = estimator.time(settings).step.value;
  EXPECT_NEAR(fp16.likely, 1.190, 0.1 * 1.190);
  EXPECT_TRUE(fp16.lo <= 1.190 && 1.190 <= fp16.hi);
}

// Full recomputation executes the forward pass once more: 4 instead of 3 parts, in the blocks.
TEST_F(Estimate, RecomputationShowsInHardwareUtilizationOnly) {
  settings.recompute = plan::Recompute::full;
  Utilization u = estimator.estimate(settings).utilization;
  EXPECT_NEAR(u.hfu.value.likely / u.mfu.value.likely, 4.0 / 3, 0.01);
}

// The original training script without recomputation: 74.70 GiB were allocated, and more was
// wanted.
TEST_F(Estimate, FastDitWithoutRecomputationDoesNotFit) {
  EXPECT_GT(estimator.memory(settings).allocated.value.lo, 75.1 * 1024 * kMiB);
}

TEST_F(Estimate, AllReduceIsARing) {
  settings.parallel.ranks = settings.hardware.gpus_per_node = 8;
  settings.hardware.inside.bandwidth = 300e9;
  Estimates e = estimator.estimate(settings);
  EXPECT_NEAR(e.network.per_step.value.likely, 2.0 * 7 / 8 * 4 * 674'834'720, 1e6);
  EXPECT_NEAR(e.time.communication.value.likely, 2.0 * 7 / 8 * 4 * 674'834'720 / 165e9, 1e-4);
  EXPECT_LT(e.time.exposed_communication.value.likely, e.time.communication.value.likely);
}

TEST_F(Estimate, SmallBucketsCostTheStartOfEach) {
  settings.parallel.ranks = settings.hardware.gpus_per_node = 8;
  settings.hardware.inside = {"nvlink", 300e9, 1};
  double usual = estimator.estimate(settings).time.communication.value.likely;
  settings.parallel.bucket = settings.parallel.first_bucket = 1;
  double tensors = estimator.estimate(settings).time.communication.value.likely - usual;
  // One all-reduce a tensor, 8.4 us and 14 steps of 1.9 us each; 104 buckets are the usual number.
  Int128 count = step::static_memory(graph, settings).tensors;
  EXPECT_NEAR(tensors, (static_cast<double>(count) - 104) * 35e-6, 40e-6);
}

TEST_F(Estimate, MoneyIsPriceTimesTime) {
  settings.steps = Interval::point(1000);
  settings.hardware.nodes = 2;
  settings.hardware.price = plan::Price{Interval::point(0.01), "USD", 0, "a list"};
  Estimates e = estimator.estimate(settings);
  EXPECT_NEAR(e.cost.total.value.likely, 2 * 0.01 * e.time.total.value.likely, 1e-9);
  EXPECT_NEAR(e.time.total.value.likely, 1000 * e.time.step.value.likely, 1e-9);
  settings.hardware.price.reset();
  settings.hardware.gpu.name = "T4";
  std::string why = estimator.estimate(settings).cost.total.why;
  EXPECT_EQ(why.find("no price is known for T4: "), 0) << why;
}

TEST_F(Estimate, LiveAtPeakSumsToThePeak) {
  settings.recompute = plan::Recompute::full;
  Int128 sum = 0;
  for (const LivePart& part : live_at_peak(estimator, settings, Phase::backward)) sum += part.bytes;
  EXPECT_TRUE(sum == estimator.memory(settings).exact.backward_peak);
}

// What is listed of the optimizer's step is what its terms say.
TEST_F(Estimate, LiveInTheOptimizerStepSumsToItsTerms) {
  settings.batch = {1, 1, 1, {}, {}};
  Memory m = estimator.memory(settings);
  ASSERT_EQ(m.peak_phase, Phase::first_step);
  double sum = 0;
  for (const LivePart& part : live_at_peak(estimator, settings, m.peak_phase))
    sum += static_cast<double>(part.bytes);
  EXPECT_NEAR(sum, m.gradients.value.likely + m.optimizer.value.likely + m.temporaries.value.likely,
              1);
}

// A run that is given as a time takes that time; its steps are the interval.
TEST_F(Estimate, ARunOfTwoDaysTakesTwoDays) {
  settings.run_time = Interval::point(172'800);
  settings.steps = Interval{1000, 2000, 3000};
  EXPECT_EQ(estimator.time(settings).total.value, Interval::point(172'800));
}

// Products of a type that the GPU has no units for are no faster than those of fp32.
TEST_F(Estimate, WhatIsEmulatedIsNoFaster) {
  settings.precision.compute = DType::fp32;
  Interval fp32 = estimator.time(settings).step.value;
  settings.hardware.gpu.peak.erase(DType::tf32);
  settings.hardware.gpu.measured.erase(DType::tf32);
  settings.precision.compute = DType::tf32;
  EXPECT_EQ(estimator.time(settings).step.value, fp32);
  use_fp16(settings);
  settings.precision.compute = DType::bf16;
  Interval bf16 = estimator.time(settings).step.value;
  EXPECT_GT(bf16.likely, fp32.likely);
  EXPECT_GT(bf16.hi, fp32.hi);
}

}  // namespace
}  // namespace dtp::estimate

// A folded schedule says the same as one in which every iteration is written out, and costs the
// same at any depth.
#include <gtest/gtest.h>

#include "estimate/memory_walk.h"
#include "estimate/peak_live.h"
#include "step/pass.h"
#include "unit/dit_graph.h"
#include "unit/engine_rules.h"

namespace dtp {
namespace {

std::vector<step::PassOptions> variants() {
  std::vector<step::PassOptions> list;
  for (bool cpu : {true, false})
    for (bool autocast : {false, true})
      for (bool recompute : {false, true})
        for (bool single : {false, true})
          for (bool later : {false, true}) {
            step::PassOptions o;
            o.mechanisms = cpu ? test::libtorch_1_13_cpu() : test::pytorch_2_cuda();
            if (!cpu && autocast) o.mechanisms.attention = ops::AttentionKernel::flash;
            o.autocast = autocast;
            o.compute = autocast ? graph::DType::bf16 : graph::DType::fp32;
            o.recompute = recompute;
            o.single_sample = single;
            o.gradients_exist = later;
            list.push_back(o);
            if (later) continue;  // where gradients go, none is there when a pass begins
            o.gradients_go = step::GradientsGo::at_once;
            list.push_back(o);
            o.gradients_go = step::GradientsGo::at_step;
            list.push_back(o);
            o.gradients_go = step::GradientsGo::with_unit;
            o.gathering.casts = autocast;
            o.gathering.reduced = autocast ? graph::DType::bf16 : graph::DType::fp32;
            for (auto by : {step::CutBy::rows, step::CutBy::flat})
              for (std::string wrap : {"auto", "*.*", "fc1"})
                for (bool stays : {false, true}) {
                  o.gathering.wrap = {wrap};
                  o.gathering.cut = {by, 4, 4};
                  o.gathering.stays = stays;
                  o.gathering.ahead = stays ? 2 : 1;
                  list.push_back(o);
                }
          }
  return list;
}

void expect_same(const step::Pass& a, const step::Pass& b, int64_t batch, int64_t round) {
  auto same = [&](step::Sequence x, step::Sequence y) {
    auto left = estimate::walk(a, x, batch, round), right = estimate::walk(b, y, batch, round);
    EXPECT_TRUE(left.live == right.live);
    EXPECT_TRUE(left.peak == right.peak);
    auto parts = estimate::walk_by_category(a, x, batch, round);
    auto whole = estimate::walk_by_category(b, y, batch, round);
    EXPECT_TRUE(parts.live == right.live && parts.peak == right.peak);
    EXPECT_TRUE(parts.live_by == whole.live_by && parts.peak_by == whole.peak_by);
  };
  same(a.forward, b.forward);
  same(a.backward, b.backward);
  same(a.release, b.release);
}

TEST(Fold, SameAsUnfolded) {
  for (int64_t depth : {1, 2, 3, 4, 5, 6, 9, 17}) {
    test::DitShape shape{depth, 64, 4, 2, 16, 10};
    graph::Graph graph = test::DitMaker(shape).with_mse();
    for (step::PassOptions options : variants()) {
      step::Pass folded = step::make_pass(graph, options);
      EXPECT_TRUE(folded.folded_exactly);
      options.folded = false;
      step::Pass whole = step::make_pass(graph, options);
      for (int64_t batch :
           options.single_sample ? std::vector<int64_t>{1} : std::vector<int64_t>{2, 3, 8, 101})
        for (int64_t round : {1, 512}) expect_same(folded, whole, batch, round);
    }
  }
}

// Stages of blocks, with a tensor from outside in the innermost body, weights shared by all stages,
// and a frozen part.
graph::Graph nested(int64_t stages, int64_t blocks, bool checkpoint_stages) {
  test::GraphMaker m;
  graph::Shape shape = {graph::kBatch, {16, false}, {32, false}};
  auto image = m.builder.input("image", shape, graph::Element::real, {});
  auto target = m.builder.input("target", shape, graph::Element::real, {});
  m.builder.begin_no_gradient({});
  auto encoded = m.linear(32, "encoder", image);
  encoded = m.op("gelu", {{"", encoded}});
  m.builder.end_no_gradient();
  auto context = m.linear(32, "context", encoded);
  auto& shared = m.make("Linear", {{"", int64_t{32}}}, "shared");
  auto x = m.call(shared, encoded);
  auto stage = m.builder.begin_repeat(stages, "stages", checkpoint_stages, {}, {&x, 1})[0];
  auto block = m.builder.begin_repeat(blocks, "blocks", !checkpoint_stages, {}, {&stage, 1})[0];
  auto h = m.linear(64, "fc1", m.layer("LayerNorm", {}, "norm", block));
  h = m.op("multiply", {{"", m.linear(32, "fc2", m.op("silu", {{"", h}}))}, {"", context}});
  auto y = m.op("add", {{"", block}, {"", h}});
  auto z = m.builder.end_repeat({&y, 1})[0];
  z = m.call(shared, z);
  x = m.builder.end_repeat({&z, 1})[0];
  m.builder.set_output(m.op("mse", {{"", x}, {"", target}}));
  return m.builder.take();
}

TEST(Fold, NestedRepeats) {
  for (int64_t stages : {1, 3, 6})
    for (int64_t blocks : {1, 4, 7})
      for (bool checkpoint_stages : {false, true}) {
        graph::Graph graph = nested(stages, blocks, checkpoint_stages);
        for (step::PassOptions options : variants()) {
          SCOPED_TRACE(testing::Message()
                       << stages << " stages of " << blocks << " blocks, stages checkpointed "
                       << checkpoint_stages << ", recompute " << options.recompute << ", autocast "
                       << options.autocast << ", later micro-batch " << options.gradients_exist
                       << ", units "
                       << (options.gathering.wrap.empty() ? "none" : options.gathering.wrap[0])
                       << ", cut " << static_cast<int>(options.gathering.cut.by) << ", stays "
                       << options.gathering.stays);
          step::Pass folded = step::make_pass(graph, options);
          EXPECT_TRUE(folded.folded_exactly);
          options.folded = false;
          step::Pass whole = step::make_pass(graph, options);
          expect_same(folded, whole, options.single_sample ? 1 : 7, 1);
        }
      }
}

// Everything that was taken is given back, but gradients that wait for the optimizer's step.
TEST(Fold, NothingLeaks) {
  test::DitShape shape{7, 64, 4, 2, 16, 10};
  graph::Graph graph = test::DitMaker(shape).with_mse();
  for (const step::PassOptions& options : variants()) {
    step::Pass pass = step::make_pass(graph, options);
    int64_t batch = options.single_sample ? 1 : 5;
    Int128 left = 0;
    for (step::Sequence s : {pass.forward, pass.backward, pass.release})
      left += estimate::walk(pass, s, batch).live;
    Int128 gradients = options.gradients_exist ? 0 : 4 * graph.trainable_count();
    if (options.gradients_go != step::GradientsGo::never) gradients = 0;
    EXPECT_TRUE(left == gradients)
        << with_thousands(left) << " instead of " << with_thousands(gradients);
  }
}

Int128 gradients_taken(const step::Pass& pass, step::Sequence sequence) {
  Int128 sum = 0;
  for (uint32_t i = 0; i < sequence.count; ++i) {
    const step::Piece& piece = pass.pieces[sequence.first + i];
    if (piece.children > 0)
      sum += piece.count * gradients_taken(pass, {piece.first_child, piece.children});
    for (uint32_t e = piece.children > 0 ? piece.end : piece.begin; e < piece.end; ++e)
      if (const step::Event& event = pass.events[e];
          event.taken && event.power == 0 && event.category == step::Category::gradient)
        sum += piece.count * event.bytes;
  }
  return sum;
}

// Where each gradient goes as it comes, the backward pass still goes through all recomputed parts.
TEST(Fold, GradientsOfAllParameters) {
  graph::Graph graph = test::DitMaker({7, 64, 4, 2, 16, 10}).with_mse();
  for (bool recompute : {false, true}) {
    step::PassOptions options;
    options.mechanisms = test::pytorch_2_cuda();
    options.recompute = recompute;
    options.gradients_go = step::GradientsGo::at_step;
    step::Pass pass = step::make_pass(graph, options);
    EXPECT_TRUE(gradients_taken(pass, pass.backward) == 4 * graph.trainable_count());
  }
}

TEST(Fold, DepthCostsNothing) {
  step::PassOptions options;
  options.mechanisms = test::libtorch_1_13_cpu();
  size_t events = 0;
  for (int64_t depth : {28, 1'000'000'000}) {
    graph::Graph graph = test::DitMaker({depth, 64, 4, 2, 16, 10}).with_mse();
    step::Pass pass = step::make_pass(graph, options);
    EXPECT_TRUE(events == 0 || events == pass.events.size());
    events = pass.events.size();
  }
  // 10^11 blocks: saved bytes are exact, far past 64 bits.
  int64_t depth = 100'000'000'000;
  graph::Graph graph = test::DitMaker({depth, 1152, 16, 2, 32, 1000}).with_mse();
  step::Pass pass = step::make_pass(graph, options);
  Int128 t = 256, d = 1152, td = t * d, b = 1'000'000;
  Int128 block = 80 * td + 4 * 16 * t * t + 16 * t + 36 * d;
  Int128 rest = 12 * d + 1024 + 64 * t + 12 * td + 8 * t + 8 * d + 48 * 1024;
  EXPECT_TRUE(estimate::walk(pass, pass.forward, 1'000'000).live == b * (depth * block + rest));
}

TEST(Fold, LabelsSumToThePeak) {
  graph::Graph graph = test::DitMaker({9, 64, 4, 2, 16, 10}).with_mse();
  for (const step::PassOptions& options : variants()) {
    step::Pass pass = step::make_pass(graph, options);
    int64_t batch = options.single_sample ? 1 : 6;
    std::vector<Int128> live;
    estimate::add_live_at_end(pass, pass.forward, batch, 1, live);
    estimate::add_live_at_peak(pass, pass.backward, batch, 1, live);
    Int128 sum = 0;
    for (Int128 bytes : live) {
      EXPECT_TRUE(bytes >= 0);
      sum += bytes;
    }
    Int128 peak = estimate::walk(pass, pass.forward, batch).live +
                  estimate::walk(pass, pass.backward, batch).peak;
    EXPECT_TRUE(sum == peak);
  }
}

}  // namespace
}  // namespace dtp

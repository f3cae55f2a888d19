// The memory engine against LibTorch 1.13 on the CPU: 0 bytes off. Numbers:
// test/accuracy/data/README.md.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "estimate/memory_walk.h"
#include "step/pass.h"
#include "step/static_memory.h"
#include "unit/dit_graph.h"
#include "unit/engine_rules.h"

namespace dtp {
namespace {

struct Row {
  test::DitShape shape;
  int64_t batch = 0;
  bool bf16 = false, recompute = false;
  int64_t parameters = 0, model = 0, inputs = 0, before = 0;
  int64_t forward_peak = 0, saved = 0, backward_peak = 0, after = 0, optimizer_peak = 0;
};

std::vector<Row> read(const std::string& name) {
  std::ifstream file(std::string(DTPC_SOURCE_DIR) + "/test/accuracy/data/" + name);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.find(',') == std::string::npos) continue;
    std::vector<std::string> f;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, ',');) f.push_back(field);
    Row r;
    std::stringstream(f[0]) >> r.shape.depth >> r.shape.width >> r.shape.heads >> r.shape.patch >>
        r.shape.latent >> r.batch >> r.shape.classes;
    r.bf16 = f[3] == "bf16";
    r.recompute = f[4] == "1";
    int64_t* numbers[] = {&r.parameters,    &r.model,        &r.inputs,
                          &r.before,        &r.forward_peak, &r.saved,
                          &r.backward_peak, &r.after,        &r.optimizer_peak};
    for (size_t i = 0; i < std::size(numbers); ++i) *numbers[i] = std::stoll(f[5 + i]);
    rows.push_back(r);
  }
  return rows;
}

step::PassOptions options_of(const Row& r) {
  step::PassOptions options;
  options.mechanisms = test::libtorch_1_13_cpu();
  options.autocast = r.bf16;
  options.compute = r.bf16 ? graph::DType::bf16 : graph::DType::fp32;
  options.single_sample = r.batch == 1;
  options.recompute = r.recompute;
  return options;
}

struct Numbers {
  Int128 forward_peak, saved, backward_peak, after;
};

Numbers estimate(const graph::Graph& graph, const step::PassOptions& options, int64_t batch) {
  step::Pass pass = step::make_pass(graph, options);
  EXPECT_TRUE(pass.folded_exactly);
  auto forward = estimate::walk(pass, pass.forward, batch);
  auto backward = estimate::walk(pass, pass.backward, batch);
  return {forward.peak, forward.live, forward.live + backward.peak, forward.live + backward.live};
}

std::string text_of(const Row& r) {
  return "depth " + std::to_string(r.shape.depth) + " width " + std::to_string(r.shape.width) +
         " batch " + std::to_string(r.batch) + (r.bf16 ? " bf16" : " fp32") +
         (r.recompute ? " recomputed" : "");
}

// gtest cannot print 128-bit integers.
int64_t small(Int128 n) { return static_cast<int64_t>(n); }

TEST(LibTorch, Fp32StepsAreExact) {
  int rows = 0;
  for (const Row& r : read("libtorch_1_13_cpu_dit.csv")) {
    if (r.bf16) continue;
    SCOPED_TRACE(text_of(r));
    graph::Graph graph = test::DitMaker(r.shape).with_mse();
    EXPECT_EQ(small(graph.parameter_count()), r.parameters);
    Numbers n = estimate(graph, options_of(r), r.batch);
    EXPECT_EQ(small(n.forward_peak), r.forward_peak);
    EXPECT_EQ(small(n.saved), r.saved);
    EXPECT_EQ(small(n.backward_peak), r.backward_peak);
    EXPECT_EQ(small(n.after), r.after);
    ++rows;
  }
  EXPECT_EQ(rows, 34);
}

// With oneDNN on, its scratch memory is in the measured peaks.
TEST(LibTorch, Bf16SavedBytesAreExact) {
  int rows = 0;
  for (const Row& r : read("libtorch_1_13_cpu_dit.csv")) {
    if (!r.bf16) continue;
    SCOPED_TRACE(text_of(r));
    Numbers n = estimate(test::DitMaker(r.shape).with_mse(), options_of(r), r.batch);
    EXPECT_EQ(small(n.saved), r.saved);
    EXPECT_EQ(small(n.after), r.after);
    EXPECT_LE(small(n.forward_peak), r.forward_peak);
    EXPECT_LE(small(n.backward_peak), r.backward_peak);
    ++rows;
  }
  EXPECT_EQ(rows, 34);
}

TEST(LibTorch, Bf16StepsWithoutOneDnnAreExact) {
  int rows = 0;
  for (const Row& r : read("libtorch_1_13_cpu_dit_no_onednn.csv")) {
    SCOPED_TRACE(text_of(r));
    Numbers n = estimate(test::DitMaker(r.shape).with_mse(), options_of(r), r.batch);
    EXPECT_EQ(small(n.forward_peak), r.forward_peak);
    EXPECT_EQ(small(n.saved), r.saved);
    EXPECT_EQ(small(n.backward_peak), r.backward_peak);
    EXPECT_EQ(small(n.after), r.after);
    ++rows;
  }
  EXPECT_EQ(rows, 12);
}

// DiT-XL/2, one sample, fp32: a step that was run for real.
TEST(LibTorch, DitXl2IsExact) {
  graph::Graph graph = test::DitMaker({}).with_mse();
  EXPECT_EQ(small(graph.parameter_count()), 675'129'632);
  EXPECT_EQ(small(graph.trainable_count()), 674'834'720);
  Row row;
  row.batch = 1;
  Numbers kept = estimate(graph, options_of(row), 1);
  EXPECT_EQ(small(kept.forward_peak), 784'105'984);
  EXPECT_EQ(small(kept.saved), 782'949'888);
  EXPECT_EQ(small(kept.backward_peak), 2'700'551'300);
  EXPECT_EQ(small(kept.after), 2'699'355'264);
  row.recompute = true;
  Numbers recomputed = estimate(graph, options_of(row), 1);
  EXPECT_EQ(small(recomputed.forward_peak), 45'174'540);
  EXPECT_EQ(small(recomputed.saved), 36'802'304);
  EXPECT_EQ(small(recomputed.backward_peak), 2'700'692'868);
  EXPECT_EQ(small(recomputed.after), 2'699'496'832);
}

TEST(LibTorch, ParameterCountsOfTheFamily) {
  struct Model {
    test::DitShape shape;
    int64_t all, trained;
  } models[] = {
      {{28, 1152, 16, 2}, 675'129'632, 674'834'720}, {{24, 1024, 16, 2}, 458'102'816, 457'840'672},
      {{12, 768, 12, 2}, 130'512'416, 130'315'808},  {{12, 384, 6, 2}, 32'963'360, 32'865'056},
      {{12, 384, 6, 4}, 32'945'024, 32'920'448},     {{12, 384, 6, 8}, 33'148'160, 33'142'016},
      {{28, 1152, 16, 4}, 675'074'432, 675'000'704}, {{28, 1152, 16, 8}, 675'683'072, 675'664'640},
  };
  for (const Model& m : models) {
    graph::Graph graph = test::DitMaker(m.shape).alone();
    EXPECT_EQ(small(graph.parameter_count()), m.all);
    EXPECT_EQ(small(graph.trainable_count()), m.trained);
  }
}

// Parameters in the order that the measured program registers them.
std::vector<step::ParameterRun> runs_in_order(const test::DitShape& s) {
  Int128 d = s.width, pp = s.patch * s.patch;
  std::vector<step::ParameterRun> runs;
  auto linear = [&](Int128 in, Int128 out, uint32_t group) {
    Int128 count = group == 1 ? s.depth : 1;
    runs.push_back({4 * in * out, count, group});
    runs.push_back({4 * out, count, group});
  };
  linear(4 * pp, d, 0);
  linear(256, d, 0);
  linear(d, d, 0);
  runs.push_back({4 * (s.classes + 1) * d, 1, 0});
  linear(d, 3 * d, 1);
  linear(d, d, 1);
  linear(d, 4 * d, 1);
  linear(4 * d, d, 1);
  linear(d, 6 * d, 1);
  linear(d, 2 * d, 2);
  linear(d, 8 * pp, 2);
  return runs;
}

TEST(LibTorch, AdamWStepsAreExact) {
  EXPECT_EQ(small(step::first_adamw_step(runs_in_order({}))), 5'440'776'204);
  for (const Row& r : read("libtorch_1_13_cpu_dit_no_onednn.csv"))
    EXPECT_EQ(small(step::first_adamw_step(runs_in_order(r.shape))), r.optimizer_peak)
        << text_of(r);
  for (const Row& r : read("libtorch_1_13_cpu_dit.csv")) {
    Int128 largest = 0;
    for (const step::ParameterRun& run : runs_in_order(r.shape))
      largest = std::max(largest, run.bytes);
    EXPECT_EQ(small(2 * largest + 12), r.optimizer_peak) << text_of(r);
  }
}

// The same numbers from formulas over depth, width, tokens, heads and batch.
struct ClosedForm {
  Int128 saved, backward_peak, after;
};

ClosedForm closed_form(const Row& r) {
  Int128 layers = r.shape.depth, d = r.shape.width, side = r.shape.latent / r.shape.patch,
         t = side * side, b = r.batch;
  Int128 td = t * d, scores = r.shape.heads * t * t, pp = r.shape.patch * r.shape.patch,
         image = r.shape.latent * r.shape.latent;
  Int128 block = 80 * td + 4 * scores + 16 * t + 36 * d;
  Int128 embedding = 12 * d + 1024 + 16 * pp * t, loss = 16 * image;
  Int128 last = 12 * td + 8 * t + 8 * d + 32 * image;
  Int128 kept = r.recompute ? 4 * td : block, states = r.recompute ? 5056 * layers : 0;
  Int128 block_parameters = 18 * d * d + 15 * d;
  Int128 last_gradients = 4 * (8 * pp * d + 8 * pp) + 4 * (2 * d * d + 2 * d);
  Int128 trained = 4 * (layers * block_parameters + 8 * pp * d + 8 * pp + 2 * d * d + 2 * d +
                        256 * d + d + d * d + d + (r.shape.classes + 1) * d + 4 * pp * d + d);
  ClosedForm f;
  f.saved = b * (layers * kept + embedding + last + loss) + states;
  f.after = trained + b * loss + states;
  f.backward_peak = trained + b * (4 * td + 16 * pp * t + loss) + 4 + states;
  for (Int128 done = 0; done < layers; ++done) {
    Int128 rest = (layers - 1 - done) * kept,
           gradients = 4 + last_gradients + done * 4 * block_parameters + states;
    Int128 softmax = b * (rest + (28 + (r.recompute ? 8 : 0)) * td + (b == 1 ? 4 * td : 0) +
                          12 * scores + 8 * t + 28 * d + embedding + loss) +
                     gradients + 4 * (9 * d * d + 6 * d);
    Int128 second = b * (rest + block + (r.recompute ? 24 : 20) * td + 8 * d + embedding + loss) +
                    gradients + 4 * (4 * d * d + d);
    f.backward_peak = std::max({f.backward_peak, softmax, second});
  }
  return f;
}

TEST(LibTorch, ClosedFormsAgree) {
  for (const Row& r : read("libtorch_1_13_cpu_dit.csv")) {
    if (r.bf16) continue;
    SCOPED_TRACE(text_of(r));
    ClosedForm f = closed_form(r);
    Numbers n = estimate(test::DitMaker(r.shape).with_mse(), options_of(r), r.batch);
    EXPECT_EQ(small(n.saved), small(f.saved));
    EXPECT_EQ(small(n.backward_peak), small(f.backward_peak));
    EXPECT_EQ(small(n.after), small(f.after));
  }
}

}  // namespace
}  // namespace dtp

// The rules for PyTorch 2 on CUDA against published measurements (see docs/design on where each
// comes from).
#include <gtest/gtest.h>

#include "estimate/memory_walk.h"
#include "step/pass.h"
#include "unit/engine_rules.h"
#include "unit/graph_maker.h"

namespace dtp {
namespace {

// A GPT block as Galvatron profiles it: pure bf16, flash attention, dropout of both residual
// branches.
graph::Graph gpt_block(int64_t tokens, int64_t width, int64_t heads) {
  test::GraphMaker m;
  graph::Shape shape = {graph::kBatch, {tokens, false}, {width, false}};
  auto x = m.builder.input("x", shape, graph::Element::real, {});
  auto before = m.linear(width, "before", x);
  auto qkv = m.linear(3 * width, "qkv", m.layer("LayerNorm", {}, "norm1", before));
  auto parts = m.all("split_qkv", {{"", qkv}, {"", heads}});
  auto a = m.op("merge_heads",
                {{"", m.op("attention", {{"", parts[0]}, {"", parts[1]}, {"", parts[2]}})}});
  a = m.op("dropout", {{"", m.linear(width, "proj", a)}, {"", 0.1}});
  auto y = m.op("add", {{"", before}, {"", a}});
  auto h = m.linear(4 * width, "fc1", m.layer("LayerNorm", {}, "norm2", y));
  h = m.linear(width, "fc2", m.op("gelu", {{"", h}}));
  m.builder.set_output(m.op("add", {{"", y}, {"", m.op("dropout", {{"", h}, {"", 0.1}})}}));
  return m.builder.take();
}

// Measured: 272.28 MiB a layer at width 4096 and 2048 tokens.
TEST(Cuda, GptBlockWithFlashAttention) {
  graph::Graph graph = gpt_block(2048, 4096, 32);
  step::PassOptions options;
  options.mechanisms = test::pytorch_2_cuda();
  options.mechanisms.attention = ops::AttentionKernel::flash;
  options.parameters = options.compute = graph::DType::bf16;
  options.single_sample = true;
  step::Pass pass = step::make_pass(graph, options);
  auto saved = static_cast<double>(estimate::walk(pass, pass.forward, 1).live);
  saved -= 2.0 * 2048 * 4096;  // the output, which the next block would hold
  EXPECT_NEAR(saved / (1 << 20), 272.28, 0.01);
}

// Without fusion the scores and their softmax are whole tensors: in bf16 the softmax alone is saved
// (2 bytes a score).
TEST(Cuda, WrittenOutAttentionSavesItsSoftmax) {
  graph::Graph graph = gpt_block(512, 1024, 16);
  step::PassOptions options;
  options.mechanisms = test::pytorch_2_cuda();
  options.parameters = options.compute = graph::DType::bf16;
  Int128 eager =
      estimate::walk(step::make_pass(graph, options), step::make_pass(graph, options).forward, 4)
          .live;
  options.mechanisms.attention = ops::AttentionKernel::flash;
  Int128 flash =
      estimate::walk(step::make_pass(graph, options), step::make_pass(graph, options).forward, 4)
          .live;
  Int128 scores = 2 * 4 * 16 * 512 * 512, rows = 4 * 4 * 16 * 512;
  EXPECT_TRUE(eager - flash == scores - rows);
}

// Autocast: fp32 softmax is saved, and its 16-bit copy for the product (6 bytes a score).
TEST(Cuda, AutocastRaisesSoftmax) {
  graph::Graph graph = gpt_block(512, 1024, 16);
  step::PassOptions options;
  options.mechanisms = test::pytorch_2_cuda();
  options.autocast = true;
  options.compute = graph::DType::bf16;
  step::Pass raised = step::make_pass(graph, options);
  options.mechanisms.autocast_fp32_softmax = false;
  step::Pass plain = step::make_pass(graph, options);
  Int128 difference =
      estimate::walk(raised, raised.forward, 4).live - estimate::walk(plain, plain.forward, 4).live;
  EXPECT_TRUE(difference == Int128{4} * 4 * 16 * 512 * 512);
}

// A later micro-batch adds to the gradients: they are not made again.
TEST(Cuda, LaterMicroBatchMakesNoGradients) {
  graph::Graph graph = gpt_block(64, 128, 4);
  step::PassOptions options;
  options.mechanisms = test::pytorch_2_cuda();
  step::Pass first = step::make_pass(graph, options);
  options.gradients_exist = true;
  step::Pass later = step::make_pass(graph, options);
  Int128 difference =
      estimate::walk(first, first.backward, 3).live - estimate::walk(later, later.backward, 3).live;
  EXPECT_TRUE(difference == 4 * graph.trainable_count());
}

}  // namespace
}  // namespace dtp

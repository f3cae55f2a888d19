// What single operations save for the backward pass, against the rules of PyTorch's autograd
// (derivatives.yaml of 2.6, or the composition of the library that each file names).
#include <gtest/gtest.h>

#include "estimate/memory_walk.h"
#include "step/pass.h"
#include "unit/engine_rules.h"
#include "unit/graph_maker.h"

namespace dtp {
namespace {

using graph::DType;
using graph::kBatch;

struct Saved : testing::Test {
  using Id = graph::TensorId;
  test::GraphMaker m;
  step::PassOptions options;
  static constexpr int64_t kSamples = 4;

  Saved() { options.mechanisms = test::pytorch_2_cuda(); }

  // What comes in is no memory of the pass; a layer behind it makes what is.
  Id image(int64_t channels, int64_t side) {
    return m.builder.input("x", {kBatch, {channels, false}, {side, false}, {side, false}},
                           graph::Element::real, {});
  }
  Id tokens(int64_t length, int64_t width) {
    return m.builder.input("x", {kBatch, {length, false}, {width, false}}, graph::Element::real,
                           {});
  }
  // Bytes alive after the forward pass, without the output itself.
  Int128 live(Id output) {
    graph::Shape shape = m.builder[output].shape;
    m.builder.set_output(output);
    graph::Graph graph = m.builder.take();
    step::Pass pass = step::make_pass(graph, options);
    graph::Monomial elements = shape.elements();
    Int128 own = elements.value * (elements.power == 1 ? kSamples : 1) *
                 graph::size_of(options.autocast ? options.compute : options.parameters);
    return estimate::walk(pass, pass.forward, kSamples).live - own;
  }
};

int64_t bytes(int64_t elements) { return 4 * elements; }

// convolution: its input, and its weight, which is a parameter and no memory of its own.
TEST_F(Saved, ConvolutionSavesItsInput) {
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{3}}, {"padding", int64_t{1}}}, "a",
                 image(3, 16));
  Id y = m.layer("Conv2d", {{"", int64_t{4}}, {"", int64_t{3}}, {"stride", int64_t{2}}}, "b", x);
  EXPECT_EQ(to_string(m.builder[y].shape), "[B, 4, 7, 7]");
  EXPECT_EQ(live(y), bytes(kSamples * 8 * 16 * 16));
}

// native_batch_norm: its input, and two fp32 numbers a channel.
TEST_F(Saved, BatchNormSavesItsInputAndTwoNumbersAChannel) {
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(3, 16));
  EXPECT_EQ(live(m.layer("BatchNorm", {}, "b", x)), bytes(kSamples * 8 * 16 * 16 + 2 * 8));
}

// native_group_norm: its input, and two numbers a sample and group.
TEST_F(Saved, GroupNormSavesItsInputAndTwoNumbersAGroup) {
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(3, 16));
  EXPECT_EQ(live(m.layer("GroupNorm", {{"", int64_t{4}}}, "b", x)),
            bytes(kSamples * 8 * 16 * 16 + 2 * kSamples * 4));
}

// Under CUDA's autocast convolution, GroupNorm, SiLU, convolution save 10 bytes an element: the
// fp32 copy that the norm works on, its fp32 result, and the 16-bit copy of what goes on.
TEST_F(Saved, AutocastRaisesGroupNorm) {
  options.autocast = true;
  options.compute = DType::bf16;
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(8, 16));
  x = m.op("silu", {{"", m.layer("GroupNorm", {{"", int64_t{4}}}, "b", x)}});
  Id y = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "c", x);
  Int128 elements = kSamples * 8 * 16 * 16, weights = 2 * 2 * 8 * 8;
  EXPECT_EQ(live(y), 10 * elements + 2 * elements + bytes(2 * kSamples * 4) + weights);
}

// LlamaRMSNorm in bf16: the fp32 copy of its input, the normalised input in bf16, one fp32 number a
// row: 6 bytes an element.
TEST_F(Saved, RmsNormSavesSixBytesAnElementInBf16) {
  options.parameters = options.compute = DType::bf16;
  Id x = m.linear(64, "a", tokens(32, 64));
  EXPECT_EQ(live(m.layer("RMSNorm", {}, "n", x)), kSamples * 32 * (6 * 64 + 4));
}

// PyTorch 1.13 keeps what a mean along axes was taken of, here the fp32 squares: 10 bytes.
TEST_F(Saved, RmsNormSavesTenBytesWhereAMeanKeepsItsInput) {
  options.parameters = options.compute = DType::bf16;
  options.mechanisms.mean_keeps_input = true;
  Id x = m.linear(64, "a", tokens(32, 64));
  EXPECT_EQ(live(m.layer("RMSNorm", {}, "n", x)), kSamples * 32 * (10 * 64 + 4));
}

// `logits.float()` before the loss: the log-probabilities in fp32 alone; the 16-bit logits are
// gone.
TEST_F(Saved, LossOfLogitsInFp32SavesFourBytesALogit) {
  options.parameters = options.compute = DType::bf16;
  Id target = m.builder.input("t", {graph::kBatch, {32, false}}, graph::Element::integer, {});
  Id x = m.op("to_fp32", {{"", m.linear(64, "a", tokens(32, 64))}});
  Id loss = m.op("cross_entropy", {{"", x}, {"", target}});
  // Beside them the total weight; the loss itself has 4 bytes, of which 2 are taken off.
  EXPECT_EQ(live(loss), bytes(kSamples * 32 * 64) + 4 + 2);
}

// A tensor in fp32 is not copied.
TEST_F(Saved, WhatIsInFp32IsNotCopied) {
  Id x = m.linear(64, "a", tokens(32, 64));
  EXPECT_EQ(live(m.op("to_fp32", {{"", x}})), 0);
}

// max_pool2d_with_indices: its input, and 8 bytes for each element that comes out.
TEST_F(Saved, MaxPoolSavesItsInputAndIndices) {
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(3, 16));
  Id y = m.op("max_pool", {{"", x}, {"", int64_t{2}}});
  EXPECT_EQ(to_string(m.builder[y].shape), "[B, 8, 8, 8]");
  EXPECT_EQ(live(y), bytes(kSamples * 8 * 16 * 16) + 8 * kSamples * 8 * 8 * 8);
}

// upsample_nearest2d, constant_pad_nd, roll: nothing.
TEST_F(Saved, WhatOnlyMovesSavesNothing) {
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(3, 16));
  x = m.op("upsample", {{"", x}, {"", int64_t{2}}});
  x = m.op("pad", {{"", x}, {"right", int64_t{1}}, {"bottom", int64_t{1}}});
  EXPECT_EQ(to_string(m.builder[x].shape), "[B, 8, 33, 33]");
  std::vector<graph::Dim> shifts{{-1, false}, {2, false}}, axes{{2, false}, {3, false}};
  EXPECT_EQ(live(m.op("roll", {{"", x}, {"", shifts}, {"axes", axes}})), 0);
}

// Rotary positions save the tables alone, which are buffers of the model.
TEST_F(Saved, RotarySavesNothingOfItsOwn) {
  Id qkv = m.linear(3 * 64, "qkv", tokens(32, 64));
  auto parts = m.all("split_qkv", {{"", qkv}, {"", int64_t{4}}});
  auto turned = m.all("rotary", {{"", parts[0]}, {"", parts[1]}});
  Id sum = m.op("add", {{"", turned[0]}, {"", turned[1]}});
  EXPECT_EQ(live(sum), 0);
}

// topk: its indices. The division saves both of its operands.
TEST_F(Saved, TopKSavesItsIndices) {
  Id x = m.linear(8, "gate", tokens(32, 64));
  EXPECT_EQ(live(m.all("top_k", {{"", x}, {"", int64_t{2}}})[0]), 8 * kSamples * 32 * 2);
}

TEST_F(Saved, NormalisedTopKSavesValuesAndTheirSum) {
  Id x = m.linear(8, "gate", tokens(32, 64));
  Id y = m.all("top_k", {{"", x}, {"", int64_t{2}}, {"normalised", true}})[0];
  EXPECT_EQ(live(y), 8 * kSamples * 32 * 2 + bytes(kSamples * 32 * (2 + 1)));
}

// Without a capacity as many rows are gathered as tokens have choices.
TEST_F(Saved, DispatchGathersEachChoice) {
  Id x = m.op("reshape", {{"", m.linear(16, "a", tokens(32, 64))},
                          {"", std::vector<graph::Dim>{{32, true}, {16, false}}}});
  Id choices = m.builder.input("c", {{32, true}, {2, false}}, graph::Element::integer, {});
  Id routed = m.op("dispatch", {{"", x}, {"", choices}, {"", int64_t{8}}});
  EXPECT_EQ(to_string(m.builder[routed].shape), "[8, 8·B, 16]");
  Id capped = m.op("dispatch", {{"", x}, {"", choices}, {"", int64_t{8}}, {"", 1.25}});
  EXPECT_EQ(to_string(m.builder[capped].shape), "[8, 10·B, 16]");
  EXPECT_EQ(live(routed), 8 * kSamples * 8 * 8);
}

// The bias of attention that is written out saves nothing: an addition does not.
TEST_F(Saved, BiasOfWrittenOutAttention) {
  auto with_bias = [this](bool bias) {
    m = test::GraphMaker();
    Id qkv = m.linear(3 * 64, "qkv", tokens(16, 64));
    auto parts = m.all("split_qkv", {{"", qkv}, {"", int64_t{4}}});
    test::GraphMaker::Arguments arguments{{"", parts[0]}, {"", parts[1]}, {"", parts[2]}};
    std::vector<graph::Dim> sizes{{4, false}, {16, false}, {16, false}};
    ops::LayerInstance& table = m.make("Buffer", {{"", sizes}, {"trained", true}}, "table");
    if (bias)
      arguments.push_back(
          {"bias_added", test::GraphMaker::check(ops::apply_layer(m.builder, table, {}, {}))[0]});
    return live(m.op("attention", arguments));
  };
  EXPECT_EQ(with_bias(true), with_bias(false));
}

// Flash attention takes neither a bias nor heads wider than 256: the other fused kernel does.
TEST_F(Saved, WhatFlashAttentionCannotDo) {
  options.parameters = options.compute = DType::bf16;
  auto saved = [this](ops::AttentionKernel kernel, bool bias, int64_t heads, int64_t width) {
    m = test::GraphMaker();
    options.mechanisms.attention = kernel;
    auto parts =
        m.all("split_qkv", {{"", m.linear(3 * width, "qkv", tokens(48, 64))}, {"", heads}});
    test::GraphMaker::Arguments arguments{{"", parts[0]}, {"", parts[1]}, {"", parts[2]}};
    std::vector<graph::Dim> sizes{{heads, false}, {48, false}, {48, false}};
    ops::LayerInstance& table = m.make("Buffer", {{"", sizes}, {"trained", true}}, "table");
    if (bias)
      arguments.push_back(
          {"bias_added", test::GraphMaker::check(ops::apply_layer(m.builder, table, {}, {}))[0]});
    return live(m.op("attention", arguments));
  };
  using ops::AttentionKernel;
  Int128 rows = Int128{4} * kSamples * 4, padding = 64 - 48;
  EXPECT_EQ(saved(AttentionKernel::memory_efficient, false, 4, 64) -
                saved(AttentionKernel::flash, false, 4, 64),
            rows * padding);
  EXPECT_EQ(saved(AttentionKernel::flash, true, 4, 64),
            saved(AttentionKernel::memory_efficient, true, 4, 64));
  EXPECT_EQ(saved(AttentionKernel::flash, false, 1, 512),
            saved(AttentionKernel::memory_efficient, false, 1, 512));
}

// Dropout of attention that is written out: a byte mask, and what it left for the product. Fused
// kernels draw again.
TEST_F(Saved, DropoutOfAttention) {
  options.parameters = options.compute = DType::bf16;
  auto saved = [this](ops::AttentionKernel kernel, double probability) {
    m = test::GraphMaker();
    options.mechanisms.attention = kernel;
    auto parts =
        m.all("split_qkv", {{"", m.linear(3 * 64, "qkv", tokens(48, 64))}, {"", int64_t{4}}});
    return live(m.op("attention",
                     {{"", parts[0]}, {"", parts[1]}, {"", parts[2]}, {"dropout", probability}}));
  };
  using ops::AttentionKernel;
  Int128 scores = kSamples * 4 * 48 * 48;
  EXPECT_EQ(saved(AttentionKernel::eager, 0.1) - saved(AttentionKernel::eager, 0),
            (1 + 2) * scores);
  EXPECT_EQ(saved(AttentionKernel::flash, 0.1), saved(AttentionKernel::flash, 0));
}

// gather: its input and the places. Expanding is a view.
TEST_F(Saved, TakeSavesItsInputAndThePlaces) {
  Id x = m.linear(64, "a", tokens(32, 64));
  std::vector<graph::Dim> sizes{kBatch, {5, false}};
  Id places = m.op("random_int", {{"", int64_t{32}}, {"", sizes}});
  Id y = m.op("take", {{"", x}, {"", places}});
  EXPECT_EQ(to_string(m.builder[y].shape), "[B, 5, 64]");
  EXPECT_EQ(live(y), 8 * kSamples * 5 + 4 * kSamples * 32 * 64);
}

// native_layer_norm without a bias: its input and two numbers a row, as with one.
TEST_F(Saved, LayerNormWithoutABias) {
  Id x = m.linear(64, "a", tokens(32, 64));
  Id y = m.layer("LayerNorm", {{"bias", false}}, "n", x);
  EXPECT_EQ(m.builder.take().parameters.size(), 3u);
  m = test::GraphMaker();
  x = m.linear(64, "a", tokens(32, 64));
  y = m.layer("LayerNorm", {{"bias", false}}, "n", x);
  EXPECT_EQ(live(y), bytes(kSamples * 32 * (64 + 2)));
}

// One iteration that is recomputed keeps what went into it, whatever its shape becomes.
TEST_F(Saved, ASegmentKeepsItsInput) {
  options.recompute = true;
  Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(3, 16));
  for (int64_t width : {16, 32}) {
    Id inner = m.builder.begin_segment("layer" + std::to_string(width), {}, {&x, 1})[0];
    Id y = m.layer("Conv2d", {{"", width}, {"", int64_t{3}}, {"stride", int64_t{2}}}, "c", inner);
    y = m.op("relu", {{"", m.layer("BatchNorm", {}, "n", y)}});
    x = m.builder.end_repeat({&y, 1})[0];
  }
  EXPECT_EQ(to_string(m.builder[x].shape), "[B, 32, 3, 3]");
  EXPECT_EQ(live(x), bytes(kSamples * (8 * 16 * 16 + 16 * 7 * 7)));
}

// Where nothing is recomputed, an iteration that could be costs what it costs written out.
TEST_F(Saved, ASegmentThatIsNotRecomputedCostsNothing) {
  auto peak = [this](bool segments) {
    m = test::GraphMaker();
    Id x = m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "a", image(3, 16));
    for (int i = 0; i < 2; ++i) {
      if (segments) x = m.builder.begin_segment("layer" + std::to_string(i), {}, {&x, 1})[0];
      x = m.op("relu", {{"", m.layer("Conv2d", {{"", int64_t{8}}, {"", int64_t{1}}}, "c", x)}});
      if (segments) x = m.builder.end_repeat({&x, 1})[0];
    }
    m.builder.set_output(m.op("sum", {{"", x}}));
    graph::Graph graph = m.builder.take();
    step::Pass pass = step::make_pass(graph, options);
    return estimate::walk(pass, pass.backward, kSamples).peak;
  };
  EXPECT_EQ(peak(true), peak(false));
}

}  // namespace
}  // namespace dtp

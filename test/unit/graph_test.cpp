#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/layout.h"
#include "unit/dit_graph.h"

namespace dtp::graph {
namespace {

TEST(Shape, PrintsAndCounts) {
  Shape x = {kBatch, {256, false}, {1152, false}};
  EXPECT_EQ(to_string(x), "[B, 256, 1152]");
  Shape merged = {{16, true}, {256, false}, {72, false}};
  EXPECT_EQ(to_string(merged), "[16·B, 256, 72]");
  EXPECT_EQ(to_string(Shape()), "[]");
  EXPECT_TRUE(x.elements() == merged.elements());
  EXPECT_TRUE((x.elements() == Monomial{256 * 1152, 1}));
  EXPECT_TRUE((Shape{{3, true}, {2, true}}.elements() == Monomial{6, 2}));
  EXPECT_EQ(to_string(with_single_sample(merged)), "[16, 256, 72]");
}

TEST(Shape, SaturatesInsteadOfWrapping) {
  Dim big{int64_t{1} << 62, false};
  EXPECT_TRUE((Shape{big, big, big, big}.elements().value > kMostElements));
}

TEST(Layout, ReshapeIsAViewWhereStridesAllow) {
  Shape packed = {kBatch, {8, false}, {3, false}, {4, false}, {5, false}};
  int order[] = {2, 0, 3, 1, 4};
  Layout parts = permuted(contiguous(packed), order);
  Layout q = without(parts, 0);  // [B, heads, T, d] inside the packed tensor
  EXPECT_EQ(to_string(q.shape), "[B, 4, 8, 5]");
  EXPECT_FALSE(is_contiguous(q));
  Shape merged = {{4, true}, {8, false}, {5, false}};
  EXPECT_FALSE(viewed(q, merged).has_value());
  // A single sample has no batch stride in the way.
  int same[] = {2, 0, 3, 1, 4};
  Layout single = without(permuted(contiguous(with_single_sample(packed)), same), 0);
  EXPECT_TRUE(viewed(single, with_single_sample(merged)).has_value());
  EXPECT_TRUE(viewed(contiguous(merged), {kBatch, {4, false}, {40, false}}).has_value());
  EXPECT_FALSE(viewed(transposed(contiguous(merged), 1, 2), {{4, true}, {40, false}}).has_value());
}

TEST(Layout, DenseInSomeOrder) {
  Layout x = transposed(contiguous({{3, false}, {4, false}}), 0, 1);
  EXPECT_FALSE(is_contiguous(x));
  EXPECT_TRUE(is_dense(x));
  EXPECT_FALSE(is_dense(with_size(contiguous({{3, false}, {4, false}}), 1, {2, false})));
  EXPECT_FALSE(is_dense(expanded(contiguous({{1, false}, {4, false}}), {{3, false}, {4, false}})));
}

TEST(Graph, RepeatsStayFolded) {
  Graph graph = test::DitMaker({}).alone();
  ASSERT_EQ(graph.repeats.size(), 1u);
  EXPECT_EQ(graph.repeats[0].count, 28);
  bool found = false;
  for (const Parameter& p : graph.parameters) {
    if (p.key != "blocks.{i}.attn.qkv.weight") continue;
    found = true;
    EXPECT_TRUE(p.count == 28);
    EXPECT_EQ(to_string(p.shape), "[3456, 1152]");
  }
  EXPECT_TRUE(found);
  std::string text = to_text(graph);
  EXPECT_NE(text.find("repeat 28 as blocks checkpointed"), std::string::npos);
  EXPECT_NE(text.find("675,129,632 parameters, 674,834,720 of them trained"), std::string::npos);
}

TEST(Graph, CountsSaturate) {
  Graph graph = test::DitMaker({int64_t{1} << 62}).alone();
  EXPECT_TRUE(graph.parameter_count() > (Int128{1} << 80));
  Builder builder;
  TensorId x = builder.input("x", {kBatch}, Element::real, {});
  for (int i = 0; i < 3; ++i)
    x = builder.begin_repeat(int64_t{1} << 60, "r", false, {}, {&x, 1})[0];
  builder.parameter("w", {{1 << 20, false}}, true, false, {});
  for (int i = 0; i < 3; ++i) x = builder.end_repeat({&x, 1})[0];
  EXPECT_TRUE(builder.take().parameter_count() == (Int128{1} << 120));
}

TEST(Graph, TensorsOfAClosedRepeatAreNotVisible) {
  Builder builder;
  TensorId x = builder.input("x", {kBatch}, Element::real, {});
  TensorId inner = builder.begin_repeat(3, "r", false, {}, {&x, 1})[0];
  EXPECT_TRUE(builder.visible(inner));
  TensorId outer = builder.end_repeat({&inner, 1})[0];
  EXPECT_FALSE(builder.visible(inner));
  EXPECT_TRUE(builder.visible(outer));
  EXPECT_TRUE(builder.visible(x));
}

}  // namespace
}  // namespace dtp::graph

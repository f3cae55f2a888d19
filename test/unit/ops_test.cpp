// Shape rules, and what is said when they are broken.
#include <gtest/gtest.h>

#include <algorithm>

#include "estimate/estimates.h"
#include "unit/dit_graph.h"

namespace dtp::ops {
namespace {

using graph::Element;
using graph::kBatch;

Span at(uint32_t begin) { return {FileId{1}, begin, begin + 1}; }

Failure failure_of(const Result& result) {
  if (const Failure* failure = std::get_if<Failure>(&result)) return *failure;
  ADD_FAILURE() << "the call was accepted";
  return {};
}

struct Ops : testing::Test {
  test::GraphMaker m;
  TensorId tensor(const Shape& shape, uint32_t place = 0) {
    return m.builder.input("x", shape, Element::real, place == 0 ? Span{} : at(place));
  }
  std::string shape(TensorId id) const { return to_string(m.builder[id].shape); }
};

TEST_F(Ops, TablesAreSortedAndFound) {
  auto operations = all_operations();
  EXPECT_TRUE(std::is_sorted(operations.begin(), operations.end(),
                             [](auto* a, auto* b) { return a->name < b->name; }));
  for (const Operation* o : operations) {
    EXPECT_EQ(find_operation(o->name), o);
    EXPECT_FALSE(o->doc.empty());
    EXPECT_EQ(o->signature.substr(0, o->name.size()), o->name);
  }
  auto layers = all_layers();
  EXPECT_TRUE(std::is_sorted(layers.begin(), layers.end(),
                             [](auto* a, auto* b) { return a->name < b->name; }));
  for (const LayerKind* l : layers) EXPECT_EQ(find_layer(l->name), l);
  EXPECT_EQ(find_operation("linear"), nullptr);
  EXPECT_EQ(find_operation("Linear"), nullptr);
}

TEST_F(Ops, Broadcasting) {
  TensorId x = tensor({kBatch, {256, false}, {64, false}}), c = tensor({kBatch, {64, false}});
  TensorId wide = m.op("unsqueeze", {{"", c}, {"", int64_t{1}}});
  EXPECT_EQ(shape(m.op("multiply", {{"", x}, {"", wide}})), "[B, 256, 64]");
  EXPECT_EQ(shape(m.op("subtract", {{"", 1.5}, {"", x}})), "[B, 256, 64]");
}

TEST_F(Ops, MismatchShowsWhereBothShapesComeFrom) {
  TensorId x = tensor({kBatch, {256, false}, {64, false}}, 10),
           y = tensor({kBatch, {32, false}}, 20);
  Argument arguments[] = {{"", x, at(30)}, {"", y, at(31)}};
  Failure f = failure_of(ops::apply(m.builder, *find_operation("add"), arguments, at(29)));
  EXPECT_EQ(f.headline, "shapes [B, 256, 64] and [B, 32] do not combine in `add`");
  EXPECT_EQ(f.caret, at(29));
  ASSERT_EQ(f.labels.size(), 2u);
  EXPECT_EQ(f.labels[0].span, at(10));
  EXPECT_EQ(f.labels[1].text, "this has shape [B, 32]");
}

TEST_F(Ops, ArgumentsAreChecked) {
  TensorId x = tensor({kBatch, {8, false}});
  EXPECT_EQ(failure_of(m.apply("chunk", {{"", x}})).headline, "`chunk` needs `parts`");
  EXPECT_EQ(failure_of(m.apply("chunk", {{"", x}, {"", 1.5}})).headline,
            "`chunk` wants a whole number for `parts`");
  Failure unknown = failure_of(m.apply("chunk", {{"", x}, {"part", int64_t{2}}}));
  EXPECT_EQ(unknown.headline, "`chunk` has no parameter `part`");
  EXPECT_EQ(unknown.caret_text, "did you mean `parts`?");
  EXPECT_EQ(failure_of(m.apply("silu", {{"", x}, {"", x}})).headline,
            "too many arguments for `silu`");
  EXPECT_EQ(failure_of(m.apply("silu", {{"", x}, {"x", x}})).headline, "`x` is given twice");
  EXPECT_EQ(failure_of(m.apply("gelu", {{"", x}, {"", std::string("fast")}})).headline,
            "`gelu` does not know `fast`");
  EXPECT_EQ(failure_of(m.apply("chunk", {{"", x}, {"", int64_t{3}}, {"", int64_t{1}}})).headline,
            "a size of 8 does not cut into 3 equal parts");
  EXPECT_EQ(failure_of(m.apply("unsqueeze", {{"", x}, {"", int64_t{5}}})).headline,
            "axis 5 of a tensor with 3 dimensions");
}

TEST_F(Ops, ALayerKeepsTheWidthOfItsFirstCall) {
  auto& norm = m.make("LayerNorm", {}, "norm");
  TensorId x = tensor({kBatch, {1152, false}}, 5), y = tensor({kBatch, {384, false}}, 6);
  Argument first[] = {{"", x, at(11)}}, second[] = {{"", y, at(21)}};
  ASSERT_TRUE(std::holds_alternative<Tensors>(apply_layer(m.builder, norm, first, at(10))));
  Failure f = failure_of(apply_layer(m.builder, norm, second, at(20)));
  EXPECT_EQ(f.headline, "`LayerNorm` over 1152 is applied to a width of 384");
  EXPECT_EQ(f.labels[0].span, at(10));
  EXPECT_EQ(m.builder.graph().parameters.size(), 2u);
}

TEST_F(Ops, Attention) {
  TensorId x = tensor({kBatch, {256, false}, {3456, false}});
  auto parts = m.all("split_qkv", {{"", x}, {"", int64_t{16}}});
  EXPECT_EQ(shape(parts[2]), "[B, 16, 256, 72]");
  TensorId a = m.op("attention", {{"", parts[0]}, {"", parts[1]}, {"", parts[2]}});
  EXPECT_EQ(shape(m.op("merge_heads", {{"", a}})), "[B, 256, 1152]");
  EXPECT_EQ(failure_of(m.apply("split_qkv", {{"", x}, {"", int64_t{7}}})).headline,
            "a width of 3456 does not split into query, key and value of 7 heads");
  TensorId narrow = tensor({kBatch, {16, false}, {256, false}, {64, false}});
  EXPECT_NE(failure_of(m.apply("attention", {{"", parts[0]}, {"", narrow}, {"", narrow}}))
                .caret_text.find("width"),
            std::string::npos);
}

TEST_F(Ops, Products) {
  TensorId a = tensor({kBatch, {4, false}, {5, false}}), b = tensor({{5, false}, {6, false}});
  EXPECT_EQ(shape(m.op("matmul", {{"", a}, {"", b}})), "[B, 4, 6]");
  EXPECT_EQ(failure_of(m.apply("matmul", {{"", b}, {"", b}})).caret_text, "6 columns meet 5 rows");
}

TEST_F(Ops, ShapesThatChange) {
  TensorId x = tensor({kBatch, {4, false}, {8, false}, {8, false}});
  EXPECT_EQ(shape(m.op("flatten", {{"", x}})), "[B, 256]");
  EXPECT_EQ(shape(m.op("flatten", {{"", x}, {"", int64_t{0}}, {"", int64_t{1}}})), "[4·B, 8, 8]");
  EXPECT_EQ(shape(m.op("transpose", {{"", x}, {"", int64_t{1}}, {"", int64_t{-1}}})),
            "[B, 8, 8, 4]");
  std::vector<Dim> order = {{0, false}, {2, false}, {3, false}, {1, false}};
  EXPECT_EQ(shape(m.op("permute", {{"", x}, {"", order}})), "[B, 8, 8, 4]");
  std::vector<Dim> size = {kBatch, {16, false}, {16, false}};
  EXPECT_EQ(shape(m.op("reshape", {{"", x}, {"", size}})), "[B, 16, 16]");
  EXPECT_EQ(shape(m.op("first", {{"", x}})), "[B, 8, 8]");
  EXPECT_EQ(shape(m.op("slice", {{"", x}, {"", int64_t{1}}, {"", int64_t{1}}, {"", int64_t{3}}})),
            "[B, 2, 8, 8]");
  EXPECT_EQ(shape(m.op("concat", {{"", std::vector<TensorId>{x, x}}, {"", int64_t{1}}})),
            "[B, 8, 8, 8]");
  EXPECT_EQ(shape(m.op("mean", {{"", x}, {"", int64_t{1}}})), "[B, 8, 8]");
  EXPECT_EQ(shape(m.op("sum", {{"", x}})), "[]");
  TensorId patches = m.layer("PatchEmbed", {{"", int64_t{2}}, {"", int64_t{32}}}, "patches", x);
  EXPECT_EQ(shape(patches), "[B, 16, 32]");
  std::vector<Dim> image = {{8, false}, {8, false}};
  EXPECT_EQ(shape(m.op("unpatchify", {{"", patches}, {"", int64_t{2}}, {"", image}})),
            "[B, 8, 8, 8]");
}

TEST_F(Ops, TooLargeATensorIsRefused) {
  TensorId x = tensor({kBatch, {int64_t{1} << 40, false}});
  Failure f = failure_of(m.try_call(m.make("Linear", {{"", int64_t{1} << 50}}, "huge"),
                                    tensor({kBatch, {int64_t{1} << 40, false}, {4, false}})));
  EXPECT_NE(f.headline.find("larger than any machine holds"), std::string::npos);
  EXPECT_EQ(shape(x), "[B, 1099511627776]");
}

// The paper: 118.64 GFLOP (multiply-accumulates) an image at 256 x 256.
TEST(Cost, DitXl2) {
  double macs = estimate::forward_macs(test::DitMaker({}).alone());
  EXPECT_NEAR(macs / 1e9, 118.64, 0.05);
}

}  // namespace
}  // namespace dtp::ops

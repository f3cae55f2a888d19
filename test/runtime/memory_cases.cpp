#include "test/runtime/memory_cases.h"

namespace dtp::test {
namespace {

using graph::Dim;
using graph::kBatch;
using graph::Shape;
using Id = graph::TensorId;
using Ids = std::vector<Id>;
using Arguments = GraphMaker::Arguments;

Dim n(int64_t size) { return {size, false}; }
std::vector<Dim> dims(std::initializer_list<Dim> list) { return list; }
const Shape kRows = {kBatch, n(8), n(16)};
const Shape kImage = {kBatch, n(8), n(12), n(12)};

// An operation of one tensor.
MemoryCase of(const std::string& operation, const Arguments& more = {},
              const Shape& shape = kRows) {
  return {operation, [=](MemoryMaker& m) {
            Arguments arguments{{"", m.real(shape)}};
            arguments.insert(arguments.end(), more.begin(), more.end());
            return m.all(operation, arguments);
          }};
}
// Of two, the second of which may be a product: under autocast its type has 16 bits.
MemoryCase of_two(const std::string& operation, const Shape& second, bool product = false) {
  return {operation + " of two", [=](MemoryMaker& m) {
            Id a = m.real(kRows), b = m.real(second);
            if (product) b = m.linear(second.back().value, "product", b);
            return m.all(operation, {{"", a}, {"", b}});
          }};
}
MemoryCase layer(const std::string& kind, const Arguments& arguments, const Shape& shape) {
  return {kind,
          [=](MemoryMaker& m) { return Ids{m.layer(kind, arguments, "layer", m.real(shape))}; }};
}
MemoryCase looked_up(const std::string& name, std::function<Id(MemoryMaker&)> index) {
  return {name, [=](MemoryMaker& m) {
            return Ids{m.layer("Embedding", {{"", int64_t{20}}, {"", int64_t{4}}}, "e", index(m))};
          }};
}
MemoryCase attention(const std::string& name, int64_t key_heads, const Arguments& more) {
  return {"attention " + name, [=](MemoryMaker& m) {
            Shape keys = {kBatch, n(key_heads), n(6), n(4)};
            Arguments arguments{
                {"", m.real({kBatch, n(4), n(6), n(4)})}, {"", m.real(keys)}, {"", m.real(keys)}};
            arguments.insert(arguments.end(), more.begin(), more.end());
            return m.all("attention", arguments);
          }};
}

void add_elementwise(std::vector<MemoryCase>& cases) {
  for (const char* name : {"relu", "gelu", "silu", "exp", "log", "sigmoid", "tanh", "negate",
                           "geglu", "softmax", "sum", "flatten"})
    cases.push_back(of(name));
  for (const char* name : {"add", "multiply", "subtract"}) {
    cases.push_back(of(name, {{"", 1.5}}));
    cases.push_back(of_two(name, kRows));
    cases.push_back(of_two(name, {kBatch, n(1), n(16)}));
    cases.push_back(of_two(name, kRows, true));
  }
  cases.push_back(of("divide", {{"", 1.5}}));
  cases.push_back(of("dropout", {{"", 0.0}}));
  cases.push_back(of("sum", {{"axis", int64_t{1}}}));
}

void add_shapes(std::vector<MemoryCase>& cases) {
  constexpr int64_t kOne = 1, kTwo = 2, kFour = 4;
  Shape pixels = {kBatch, n(8), n(8), n(3)};
  cases.push_back(of("reshape", {{"", dims({kBatch, n(4), n(32)})}}));
  cases.push_back(of("transpose", {{"", kOne}, {"", kTwo}}));
  cases.push_back(of("permute", {{"", dims({n(2), n(0), n(1)})}}));
  cases.push_back(of("unsqueeze", {{"", kOne}}));
  cases.push_back(of("expand", {{"", dims({kBatch, n(8), n(16)})}}, {kBatch, n(1), n(16)}));
  cases.push_back(of("first"));
  cases.push_back(of("slice", {{"", kOne}, {"", kTwo}, {"", int64_t{5}}}));
  cases.push_back(of("chunk", {{"", kFour}, {"axis", kTwo}}));
  cases.push_back(of("split_qkv", {{"", kFour}}, {kBatch, n(8), n(24)}));
  cases.push_back(of("merge_heads", {}, {kBatch, n(2), n(6), n(4)}));
  cases.push_back(
      of("unpatchify", {{"", kFour}, {"", dims({n(12), n(12)})}}, {kBatch, n(9), n(48)}));
  cases.push_back(of("space_to_depth", {{"", kTwo}}, pixels));
  cases.push_back(of("window_partition", {{"", kFour}}, pixels));
  cases.push_back(
      of("window_merge", {{"", kFour}, {"", dims({n(8), n(8)})}}, {{4, true}, n(16), n(3)}));
  cases.push_back(of("pad", {{"left", kOne}, {"top", kTwo}}, kImage));
  cases.push_back(of("max_pool", {{"", int64_t{3}}, {"stride", kTwo}, {"padding", kOne}}, kImage));
  cases.push_back(of("avg_pool", {{"", kTwo}}, kImage));
  cases.push_back(of("top_k", {{"", kFour}}, {kBatch, n(16)}));
  cases.push_back(of("gather_relative", {{"", kFour}}, {n(49), n(2)}));
  cases.push_back({"concat", [](MemoryMaker& m) {
                     Ids parts{m.real(kRows), m.real({kBatch, n(4), n(16)})};
                     return m.all("concat", {{"", parts}, {"axis", int64_t{1}}});
                   }});
  cases.push_back({"detach", [](MemoryMaker& m) {
                     Id x = m.real(kRows), still = m.op("detach", {{"", x}});
                     return m.all("multiply", {{"", x}, {"", still}});
                   }});
}

void add_products(std::vector<MemoryCase>& cases) {
  Arguments out{{"", int64_t{24}}};
  Arguments plain{{"", int64_t{24}}, {"bias", false}};
  for (const Arguments& arguments : {out, plain})
    for (const Shape& shape : {kRows, Shape{kBatch, n(16)}, Shape{kBatch, n(2), n(3), n(16)}})
      cases.push_back(layer("Linear", arguments, shape));
  cases.push_back(layer("PatchEmbed", {{"", int64_t{4}}, {"", int64_t{16}}}, kImage));
  cases.push_back(layer("LayerNorm", {{"affine", false}}, kRows));
  cases.push_back({"linear of an input",
                   [](MemoryMaker& m) { return Ids{m.linear(24, "layer", m.given(kRows))}; }});
  cases.push_back({"linear of permuted rows", [](MemoryMaker& m) {
                     Id x = m.op("transpose",
                                 {{"", m.real(kRows)}, {"", int64_t{1}}, {"", int64_t{2}}});
                     return Ids{m.linear(24, "layer", x)};
                   }});
  cases.push_back(of_two("matmul", {kBatch, n(16), n(5)}));
  cases.push_back(of_two("matmul", {n(16), n(5)}));
  cases.push_back(attention("", 4, {}));
  cases.push_back(attention("causal", 4, {{"causal", true}}));
  cases.push_back(attention("grouped", 2, {}));
  cases.push_back(attention("scale 1", 4, {{"scale", 1.0}}));
  cases.push_back({"fused attention", [](MemoryMaker& m) {
                     auto parts = m.all("split_qkv", {{"", m.linear(48, "qkv", m.real(kRows))},
                                                      {"heads", int64_t{4}}});
                     Id y = m.op("attention", {{"", parts[0]}, {"", parts[1]}, {"", parts[2]}});
                     return m.all("merge_heads", {{"", y}});
                   }});
  cases.push_back({"rotary", [](MemoryMaker& m) {
                     Id q = m.real({kBatch, n(2), n(6), n(4)}),
                        k = m.real({kBatch, n(1), n(6), n(4)});
                     return m.all("rotary", {{"", q}, {"", k}});
                   }});
  cases.push_back({"mse", [](MemoryMaker& m) {
                     return m.all("mse",
                                  {{"", m.linear(16, "p", m.real(kRows))}, {"", m.given(kRows)}});
                   }});
  cases.push_back({"cross_entropy", [](MemoryMaker& m) {
                     return m.all("cross_entropy",
                                  {{"", m.real(kRows)}, {"", m.whole({kBatch, n(8)})}});
                   }});
  cases.push_back({"to_fp32", [](MemoryMaker& m) {
                     return m.all("to_fp32", {{"", m.linear(16, "layer", m.real(kRows))}});
                   }});
}

void add_sources(std::vector<MemoryCase>& cases) {
  cases.push_back(looked_up("embedding", [](MemoryMaker& m) { return m.whole({kBatch, n(5)}); }));
  cases.push_back(
      looked_up("arange", [](MemoryMaker& m) { return m.op("arange", {{"", int64_t{9}}}); }));
  cases.push_back(looked_up("random_int", [](MemoryMaker& m) {
    return m.op("random_int", {{"", int64_t{10}}, {"", dims({kBatch, n(3)})}});
  }));
  cases.push_back(looked_up("replace_at_random", [](MemoryMaker& m) {
    return m.op("replace_at_random", {{"", m.whole({kBatch, n(5)})}, {"", int64_t{9}}, {"", 0.5}});
  }));
  cases.push_back({"sinusoid", [](MemoryMaker& m) {
                     Id angles = m.op("sinusoid", {{"", m.whole({kBatch})}, {"", int64_t{32}}});
                     return Ids{m.linear(8, "layer", angles)};
                   }});
  cases.push_back({"add_noise", [](MemoryMaker& m) {
                     Id z = m.real(kImage), e = m.given(kImage), t = m.whole({kBatch});
                     return m.all("add_noise", {{"", z}, {"", e}, {"", t}});
                   }});
  cases.push_back({"random_normal_like", [](MemoryMaker& m) {
                     Id x = m.real(kRows), e = m.op("random_normal_like", {{"", x}});
                     return m.all("add", {{"", x}, {"", e}});
                   }});
  cases.push_back({"full", [](MemoryMaker& m) {
                     Id half = m.op("full", {{"", 0.5}, {"", dims({kBatch, n(1), n(1)})}});
                     return m.all("add", {{"", m.real(kRows)}, {"", half}});
                   }});
}

}  // namespace

Id MemoryMaker::given(const Shape& shape) {
  return builder.input(next(), shape, graph::Element::real, {});
}
Id MemoryMaker::whole(const Shape& shape) {
  return builder.input(next(), shape, graph::Element::integer, {});
}
Id MemoryMaker::real(const Shape& shape) {
  ops::LayerInstance& trained =
      make("Buffer", {{"", std::vector<Dim>{n(1)}}, {"trained", true}}, next());
  Id one = check(ops::apply_layer(builder, trained, {}, {}))[0];
  return op("add", {{"", given(shape)}, {"", one}});
}

std::vector<MemoryCase> memory_cases() {
  std::vector<MemoryCase> cases;
  add_elementwise(cases);
  add_shapes(cases);
  add_products(cases);
  add_sources(cases);
  return cases;
}

}  // namespace dtp::test

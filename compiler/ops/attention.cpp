#include "ops/attention_kernels.h"
#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"q"},
                               {"k"},
                               {"v"},
                               {"causal", Accepts::flag, false, 0},
                               {"bias_added", Accepts::tensor, false},
                               {"mask", Accepts::tensor, false},
                               {"scale", Accepts::number, false, 0},
                               {"heads", Accepts::integer, false, 0},
                               {"dropout", Accepts::number, false, 0}};

std::string why_not(const Shape& q, const Shape& k, const Shape& v) {
  if (q[0] != k[0] || k[0] != v[0]) return "batches differ";
  if (k[1] != v[1] || k[1].batch || q[1].batch || k[1].value < 1 || q[1].value % k[1].value != 0)
    return "heads of key and value must divide the heads of the query";
  if (k[2] != v[2]) return "key and value differ in length";
  if (q[3] != k[3]) return "query and key differ in width";
  return "";
}

// A bias [heads, T, S] is trained; a mask [windows, T, S] tells windows of one image apart.
std::optional<Failure> check_added(const Call& call, const Shape& q, const Shape& k) {
  if (call.given(4) && call.shape(4) != Shape{q[1], q[2], k[2]})
    return wrong_rank(
        call, 4, "one number for each head, query and key: " + to_string(Shape{q[1], q[2], k[2]}));
  if (!call.given(5)) return std::nullopt;
  const Shape& mask = call.shape(5);
  if (mask.rank() != 3 || mask[0].batch || mask[0].value < 1 || q[0].value % mask[0].value != 0 ||
      mask[1] != q[2] || mask[2] != k[2])
    return wrong_rank(call, 5, "[windows, T, S] with as many windows as each image has");
  return std::nullopt;
}

// integers: causal, whether there is a bias, whether there is a mask, whether a scale is given;
// reals: scale, probability of dropout.
Result build(Call& call);

// [B, T, heads * d] is split into its heads first, and merged again.
Result build_split(Call& call) {
  Argument arguments[8];
  size_t count = 0;
  for (size_t i = 0; i < 3; ++i) {
    Argument split[] = {{"", call.tensor(i), call.span_of(i)},
                        {"", call.integer(7), call.span_of(7)}};
    Result made = ops::apply(call.builder(), table::split_heads_operation, split, call.span());
    if (std::holds_alternative<Failure>(made)) return made;
    arguments[count++] = {"", std::get<Tensors>(made)[0], call.span_of(i)};
  }
  arguments[count++] = {"causal", call.flag(3), call.span_of(3)};
  if (call.given(4)) arguments[count++] = {"bias_added", call.tensor(4), call.span_of(4)};
  if (call.given(5)) arguments[count++] = {"mask", call.tensor(5), call.span_of(5)};
  if (call.given(6)) arguments[count++] = {"scale", call.number(6), call.span_of(6)};
  if (call.given(8)) arguments[count++] = {"dropout", call.number(8), call.span_of(8)};
  Result made =
      ops::apply(call.builder(), table::attention_operation, {arguments, count}, call.span());
  if (std::holds_alternative<Failure>(made)) return made;
  Argument merged[] = {{"", std::get<Tensors>(made)[0], call.span()}};
  return ops::apply(call.builder(), table::merge_heads_operation, merged, call.span());
}

Result build(Call& call) {
  if (call.given(7)) return build_split(call);
  const Shape q = call.shape(0), k = call.shape(1), v = call.shape(2);
  for (size_t i = 0; i < 3; ++i)
    if (call.shape(i).rank() != 4) return wrong_rank(call, i, "[B, heads, T, d]");
  if (std::string why = why_not(q, k, v); !why.empty()) {
    Failure failure = call.fail("query " + to_string(q) + ", key " + to_string(k) + " and value " +
                                    to_string(v) + " do not attend",
                                why);
    for (size_t i = 0; i < 3; ++i) call.explain(failure, call.tensor(i));
    return failure;
  }
  if (auto failure = check_added(call, q, k)) return *failure;
  if (double p = call.number(8); !(p >= 0 && p < 1))
    return call.fail("a dropout probability lies between 0 and 1", 8, "not such a probability");
  Attributes attributes;
  attributes.integers = {call.flag(3), call.given(4), call.given(5), call.given(6)};
  attributes.reals = {call.number(6), call.number(8)};
  std::vector<TensorId> inputs{call.tensor(0), call.tensor(1), call.tensor(2)};
  for (size_t i : {4u, 5u})
    if (call.given(i)) inputs.push_back(call.tensor(i));
  Shape shape = {q[0], q[1], q[2], v[3]};
  return call.emit(table::attention_operation, inputs, attributes, {&shape, 1});
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  AttentionInputs inputs{tape.take(graph.input(node, 0)),
                         tape.take(graph.input(node, 1)),
                         tape.take(graph.input(node, 2)),
                         {},
                         {},
                         node.attributes.integers[0] != 0,
                         node.attributes.integers[3] == 0 || node.attributes.reals[0] != 1,
                         node.attributes.reals[1] > 0};
  uint32_t next = 3;
  if (node.attributes.integers[1] != 0) inputs.bias = tape.take(graph.input(node, next++));
  if (node.attributes.integers[2] != 0) inputs.mask = tape.take(graph.input(node, next));
  TensorId out = graph.output_of(node, 0);
  // sdp_utils.cpp of PyTorch 2.6: flash takes no numbers to add, and heads up to 256 wide. The
  // other fused kernel takes both.
  constexpr int64_t kWidestFlashHead = 256;
  bool flash = !inputs.bias && !inputs.mask && inputs.q.shape()[3].value <= kWidestFlashHead;
  switch (tape.mechanisms().attention) {
    case AttentionKernel::eager: tape.give(out, eager_attention(tape, std::move(inputs))); return;
    case AttentionKernel::flash:
      if (flash) {
        tape.give(out, flash_attention(tape, std::move(inputs)));
        return;
      }
      [[fallthrough]];
    case AttentionKernel::memory_efficient:
      tape.give(out, efficient_attention(tape, std::move(inputs)));
  }
}

// Two products of T x S x d each head; a causal mask leaves about half of the work to fused
// kernels, but it is counted whole, as papers do.
Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::attention;
  cost.kernels = 1;
  const Shape& q = graph[graph.input(node, 0)].shape;
  const Shape& v = graph[graph.input(node, 2)].shape;
  Shape scores = {q[0], q[1], q[2], v[2]};
  double inner = static_cast<double>(q[3].value) + static_cast<double>(v[3].value);
  cost.macs.add(scores.elements(), inner);
  cost.flops.add(scores.elements(), 2 * inner + 5);
  // Six passes over the scores, and three more where dropout reads them, writes them and its mask.
  cost.scores.add(scores.elements(), node.attributes.reals[1] > 0 ? 1.5 : 1);
  cost.weight_product = true;
  add_traffic(cost, graph, node);
  return cost;
}

// Ranks share the heads.
void divide(Division& d) {
  if (d.inputs[0] != 1) return;
  for (size_t i = 0; i < 3; ++i) d.wanted[i] = 1;
  if (d.node.attributes.integers[1] != 0) d.wanted[3] = 0;  // a bias has a row for each head
  d.outputs[0] = 1;
}

}  // namespace

const Operation table::attention_operation{
    "attention",
    "attention(q, k, v, causal = false, bias_added = none, mask = none, "
    "scale = none, heads = none, dropout = 0)",
    "scaled dot-product attention over [B, heads, T, d], "
    "or over [B, T, heads * d] where `heads` is given; k and v may have fewer heads than q, if "
    "they "
    "divide them",
    kFormals,
    build,
    run,
    cost,
    true,
    divide};

}  // namespace dtp::ops

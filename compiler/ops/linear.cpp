#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"out", Accepts::integer},
                               {"bias", Accepts::flag, false, 1},
                               {"shard", Accepts::word, false, 0, "none", "none|column|row|vocab"}};

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, -1)) return *failure;
  int64_t out = call.integer(0);
  if (out < 1) return call.fail("`Linear` to a width of " + std::to_string(out), 0, "at least 1");
  if (!layer.made()) {
    layer.add_parameter(call.builder(), "weight", {{out, false}, {layer.width(), false}});
    if (call.flag(1)) layer.add_parameter(call.builder(), "bias", {{out, false}});
    layer.shard(call.builder(), call.word(2));
  }
  Shape shape = call.builder()[x].shape;
  shape[shape.rank() - 1] = {out, false};
  return call.emit(table::linear_operation, {&x, 1}, {}, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Linear` does"); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value weight = tape.parameter(graph.parameter(node, 0));
  Value bias = node.parameters.count > 1 ? tape.parameter(graph.parameter(node, 1)) : Value();
  TensorId out = graph.output_of(node, 0);
  tape.give(out, eager::linear(tape, std::move(x), std::move(weight), std::move(bias)));
}

Cost cost(const Graph& graph, const Node& node) {
  const Shape& out = graph[graph.output_of(node, 0)].shape;
  Cost cost = product_cost(graph, node, graph[graph.input(node, 0)].shape.elements(),
                           static_cast<double>(out.back().value));
  if (node.parameters.count > 1) cost.flops.add(out.elements());  // the bias
  return cost;
}

}  // namespace

Result apply_transposed(Builder& builder, const LayerInstance& embedding,
                        std::span<const Argument> arguments, Span span) {
  Call call(builder, "transposed", "embedding.transposed(x)", kOneTensor, span, embedding.path());
  if (auto failure = call.bind(arguments)) return *failure;
  if (embedding.parameters().empty())
    return call.fail("the embedding of this head has not been looked up before", "called here");
  const Shape& table = builder[embedding.parameters()[0]].shape;
  Shape shape = call.shape(0);
  if (shape.rank() == 0 || shape.back() != table[1]) {
    Failure failure = call.fail(
        "an embedding of width " + to_string(table[1]) + " is the head of " + to_string(shape), 0,
        "its last size must be " + to_string(table[1]));
    call.explain(failure, call.tensor(0));
    return failure;
  }
  shape[shape.rank() - 1] = table[0];
  TensorId x = call.tensor(0);
  return call.emit(table::linear_operation, {&x, 1}, {}, {&shape, 1}, Element::real,
                   embedding.parameters());
}

const LayerKind table::Linear_layer{
    "Linear", "Linear(out, bias = true, shard = none)(x)",
    "x W^T + b over the last axis; its width is that of its first input", kFormals, apply};
const Operation table::linear_operation{
    "linear", "linear(x)", "made by Linear", kOneTensor, build, run, cost, false};

}  // namespace dtp::ops

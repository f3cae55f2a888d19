#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"out", Accepts::integer}, {"bias", Accepts::flag, false, 1}};

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, -1)) return *failure;
  int64_t out = call.integer(0);
  if (out < 1) return call.fail("`Linear` to a width of " + std::to_string(out), 0, "at least 1");
  if (!layer.made()) {
    layer.add_parameter(call.builder(), "weight", {{out, false}, {layer.width(), false}});
    if (call.flag(1)) layer.add_parameter(call.builder(), "bias", {{out, false}});
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

const LayerKind table::Linear_layer{
    "Linear", "Linear(out, bias = true)(x)",
    "x W^T + b over the last axis; its width is that of its first input", kFormals, apply};
const Operation table::linear_operation{
    "linear", "linear(x)", "made by Linear", kOneTensor, build, run, cost, false};

}  // namespace dtp::ops

#include "ops/common.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"size", Accepts::integers}};

// The height and the width that come out are in the shape of the result alone.
Result build(Call& call) {
  TensorId x = call.tensor(0);
  if (auto failure = check_image(call, x)) return *failure;
  auto sizes = for_each_axis(call, 1, 2);
  if (auto* failure = std::get_if<Failure>(&sizes)) return *failure;
  Shape shape = call.shape(0);
  for (size_t i = 0; i < 2; ++i) {
    int64_t size = std::get<std::vector<int64_t>>(sizes)[i];
    if (size < 1)
      return call.fail("an image pooled to a size of " + std::to_string(size), 1, "at least 1");
    shape[static_cast<int>(i) + 2] = {size, false};
  }
  return call.emit(table::adaptive_avg_pool_operation, {x}, {}, shape);
}

// To one place it is a mean that keeps its axes; of channels that vary fastest as_strided_ then
// sets the strides, whose backward step copies the gradient (native/AdaptiveAveragePooling.cpp).
Value mean_of(Tape& tape, const Value& x, const Shape& shape) {
  Value out = eager::mean(tape, x, shape);
  if (!graph::is_channels_last(x.layout())) return out;
  Value strided = tape.alias(out, graph::channels_last(shape));
  tape.record(strided, {out}, {}, [shape](BackwardCall& call) {
    call.results[0] = call.tape.allocate(shape, call.gradients[0].type());
  });
  return strided;
}

// derivatives.yaml, `_adaptive_avg_pool2d`: saves its input.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  TensorId out = graph.output_of(node, 0);
  Shape shape = tape.shape(graph[out].shape);
  if (is_one(shape[2]) && is_one(shape[3]))
    tape.give(out, mean_of(tape, x, shape));
  else
    tape.give(out, eager::resampled(tape, x, shape, {eager::detached(tape, x)}));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 0);
  cost.work = Work::reduction;
  cost.flops.add(graph[graph.input(node, 0)].shape.elements());
  return cost;
}

}  // namespace

const Operation table::adaptive_avg_pool_operation{
    "adaptive_avg_pool",
    "adaptive_avg_pool(x, size)",
    "means of as many windows as make an image of this size, or [height, width]; saves its input",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

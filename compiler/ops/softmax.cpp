#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"axis", Accepts::integer, false, -1}};

// integers: axis.
Result build(Call& call) {
  auto axis = call.axis(1, call.shape(0).rank());
  if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
  Attributes attributes;
  attributes.integers[0] = std::get<int>(axis);
  return same_shape(call, table::softmax_operation, attributes);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::softmax(tape, x));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 5);
  cost.work = Work::normalization;
  return cost;
}

}  // namespace

const Operation table::softmax_operation{
    "softmax",
    "softmax(x, axis = -1)",
    "exponentials that sum to 1 along an axis; saves its result",
    kFormals,
    build,
    run,
    cost,
    true,
    divide_rows};

}  // namespace dtp::ops

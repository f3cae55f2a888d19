#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"order", Accepts::dims}};

// shape: the order.
Result build(Call& call) {
  const Shape shape = call.shape(0);
  const auto& order = call.dims(1);
  Shape result;
  unsigned seen = 0;
  for (Dim d : order)
    if (!d.batch && d.value < shape.rank() && !(seen >> d.value & 1)) {
      seen |= 1u << d.value;
      result.push_back(shape[static_cast<int>(d.value)]);
    }
  if (order.size() != static_cast<size_t>(shape.rank()) || result.rank() != shape.rank())
    return call.fail("`permute` names each axis once", 1,
                     "axes are 0 to " + std::to_string(shape.rank() - 1));
  Attributes attributes;
  attributes.shape = Shape(std::span<const Dim>(order));
  return call.emit(table::permute_operation, {call.tensor(0)}, attributes, result,
                   call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  std::vector<int> order;
  for (Dim d : node.attributes.shape) order.push_back(static_cast<int>(d.value));
  tape.give(graph.output_of(node, 0), eager::permute(tape, x, order));
}

}  // namespace

const Operation table::permute_operation{
    "permute", "permute(x, [axes])", "axes in another order; a view", kFormals, build, run,
    no_cost};

}  // namespace dtp::ops

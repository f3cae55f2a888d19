#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"axis", Accepts::integer}};

// integers: axis.
Result build(Call& call) {
  Shape shape = call.shape(0);
  if (shape.rank() == graph::kMostDims) return wrong_rank(call, 0, "at most 7 dimensions");
  auto axis = call.axis(1, shape.rank() + 1);
  if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
  Attributes attributes;
  attributes.integers[0] = std::get<int>(axis);
  shape.insert(std::get<int>(axis), {1, false});
  return call.emit(table::unsqueeze_operation, {call.tensor(0)}, attributes, shape,
                   call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0),
            eager::unsqueeze(tape, x, static_cast<int>(node.attributes.integers[0])));
}

}  // namespace

const Operation table::unsqueeze_operation{
    "unsqueeze", "unsqueeze(x, axis)", "a new axis of size 1; a view", kFormals, build, run,
    no_cost};

}  // namespace dtp::ops

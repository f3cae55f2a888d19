#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"a", Accepts::integer}, {"b", Accepts::integer}};

// integers: the two axes.
Result build(Call& call) {
  Shape shape = call.shape(0);
  auto first = call.axis(1, shape.rank()), second = call.axis(2, shape.rank());
  if (auto* failure = std::get_if<Failure>(&first)) return *failure;
  if (auto* failure = std::get_if<Failure>(&second)) return *failure;
  Attributes attributes;
  attributes.integers[0] = std::get<int>(first);
  attributes.integers[1] = std::get<int>(second);
  std::swap(shape[std::get<int>(first)], shape[std::get<int>(second)]);
  return call.emit(table::transpose_operation, {call.tensor(0)}, attributes, shape,
                   call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  const auto& axes = node.attributes.integers;
  Value out = eager::transpose(tape, x, static_cast<int>(axes[0]), static_cast<int>(axes[1]));
  tape.give(graph.output_of(node, 0), std::move(out));
}

void divide(Division& d) {
  int axis = d.inputs[0];
  auto first = static_cast<int>(d.node.attributes.integers[0]),
       second = static_cast<int>(d.node.attributes.integers[1]);
  d.wanted[0] = axis;
  d.outputs[0] = axis == first ? second : axis == second ? first : axis;
}

}  // namespace

const Operation table::transpose_operation{"transpose",
                                           "transpose(x, a, b)",
                                           "two axes change places; a view",
                                           kFormals,
                                           build,
                                           run,
                                           no_cost,
                                           true,
                                           divide};

}  // namespace dtp::ops

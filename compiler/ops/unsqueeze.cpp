#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"axis", Accepts::integers}};

// integers: axis.
Result build(Call& call) {
  Shape shape = call.shape(0);
  int rank = shape.rank() + static_cast<int>(call.integers(1).size());
  if (rank > graph::kMostDims) return wrong_rank(call, 0, "at most 8 dimensions with the new ones");
  auto axes = call.axes(1, rank);
  if (auto* failure = std::get_if<Failure>(&axes)) return *failure;
  TensorId x = call.tensor(0);
  Result made = Tensors{x};
  for (int axis : std::get<std::vector<int>>(axes)) {
    Attributes attributes;
    attributes.integers[0] = axis;
    shape.insert(axis, {1, false});
    made = call.emit(table::unsqueeze_operation, {x}, attributes, shape, call.operand(0).element);
    if (std::holds_alternative<Failure>(made)) return made;
    x = std::get<Tensors>(made)[0];
  }
  return made;
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0),
            eager::unsqueeze(tape, x, static_cast<int>(node.attributes.integers[0])));
}

void divide(Division& d) {
  int axis = d.inputs[0];
  d.wanted[0] = axis;
  d.outputs[0] = axis >= static_cast<int>(d.node.attributes.integers[0]) ? axis + 1 : axis;
}

}  // namespace

const Operation table::unsqueeze_operation{"unsqueeze",
                                           "unsqueeze(x, axis)",
                                           "a new axis of size 1, or several; a view",
                                           kFormals,
                                           build,
                                           run,
                                           no_cost,
                                           true,
                                           divide};

}  // namespace dtp::ops

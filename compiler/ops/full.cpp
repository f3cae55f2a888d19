#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"value", Accepts::number}, {"sizes", Accepts::dims, false}};

// reals: the number.
Result build(Call& call) {
  Shape shape;
  if (call.given(1)) shape = Shape{std::span<const Dim>(call.dims(1))};
  Attributes attributes;
  attributes.reals[0] = call.number(0);
  return call.emit(table::full_operation, {}, attributes, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), tape.allocate(shape, tape.real_type()));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::full_operation{
    "full",
    "full(value, [sizes])",
    "a new tensor that holds one number everywhere; without sizes a scalar",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

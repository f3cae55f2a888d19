#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"below", Accepts::integer}, {"shape", Accepts::dims}};

// integers: the number that all are below.
Result build(Call& call) {
  Shape shape{std::span<const Dim>(call.dims(1))};
  Attributes attributes;
  attributes.integers[0] = call.integer(0);
  return call.emit(table::random_int_operation, {}, attributes, shape, Element::integer);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), tape.allocate(shape, DType::int64));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::random_int_operation{"random_int",
                                            "random_int(below, [sizes])",
                                            "whole numbers drawn uniformly from 0 to below - 1",
                                            kFormals,
                                            build,
                                            run,
                                            cost};

}  // namespace dtp::ops

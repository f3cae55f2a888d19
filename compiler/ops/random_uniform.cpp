#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"shape", Accepts::dims}};

Result build(Call& call) {
  Shape shape{std::span<const Dim>(call.dims(0))};
  return call.emit(table::random_uniform_operation, {}, {}, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), tape.allocate(shape, tape.real_type()));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::random_uniform_operation{"random_uniform",
                                                "random_uniform([sizes])",
                                                "numbers drawn uniformly from 0 to 1",
                                                kFormals,
                                                build,
                                                run,
                                                cost};

}  // namespace dtp::ops

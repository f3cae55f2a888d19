#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::sqrt_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::square_root(tape, x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 2); }

}  // namespace

const Operation table::sqrt_operation{"sqrt",     "sqrt(x)", "square root; saves its result",
                                      kOneTensor, build,     run,
                                      cost,       true,      divide_elements};

}  // namespace dtp::ops

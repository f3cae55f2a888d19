#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::relu_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::saves_result(tape, x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::relu_operation{"relu",     "relu(x)", "max(x, 0); saves its result",
                                      kOneTensor, build,     run,
                                      cost,       true,      divide_elements};

}  // namespace dtp::ops

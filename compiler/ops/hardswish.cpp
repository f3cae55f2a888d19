#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::hardswish_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::saves_input(tape, x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 4); }

}  // namespace

const Operation table::hardswish_operation{
    "hardswish", "hardswish(x)", "x * hardsigmoid(x); saves its input",
    kOneTensor,  build,          run,
    cost,        true,           divide_elements};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::detach_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::detached(tape, x));
}

}  // namespace

const Operation table::detach_operation{
    "detach",   "detach(x)", "the same values, cut off from the gradient",
    kOneTensor, build,       run,
    no_cost,    true,        divide_elements};

}  // namespace dtp::ops

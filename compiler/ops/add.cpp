#include "ops/arithmetic.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return build_arithmetic(call, table::add_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value a = tape.take(graph.input(node, 0));
  if (operands_of(node) != Operands::tensors) {
    tape.give(graph.output_of(node, 0), eager::with_number(tape, a, false));
    return;
  }
  Value b = tape.take(graph.input(node, 1));
  tape.give(graph.output_of(node, 0), eager::add(tape, a, b));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::add_operation{"add",        "add(a, b)", "a + b, with broadcasting",
                                     kTwoOperands, build,       run,
                                     cost,         true,        divide_elements};

}  // namespace dtp::ops

#include "ops/arithmetic.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return build_arithmetic(call, table::divide_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value a = tape.take(graph.input(node, 0));
  if (operands_of(node) == Operands::number_right) {
    tape.give(graph.output_of(node, 0), eager::with_number(tape, a, true));
    return;
  }
  if (operands_of(node) == Operands::number_left) {  // a reciprocal, then a product
    Value reciprocal = eager::reciprocal(tape, a);
    tape.give(graph.output_of(node, 0), eager::with_number(tape, reciprocal, true));
    return;
  }
  Value b = tape.take(graph.input(node, 1));
  tape.give(graph.output_of(node, 0), eager::divide(tape, a, b));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::divide_operation{"divide",     "divide(a, b)", "a / b, with broadcasting",
                                        kTwoOperands, build,          run,
                                        cost,         true,           divide_elements};

}  // namespace dtp::ops

#include "ops/arithmetic.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return build_arithmetic(call, table::subtract_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value a = tape.take(graph.input(node, 0));
  if (operands_of(node) == Operands::number_right) {
    tape.give(graph.output_of(node, 0), eager::with_number(tape, a, false));
    return;
  }
  if (operands_of(node) == Operands::number_left) {
    tape.give(graph.output_of(node, 0), eager::number_minus(tape, a));
    return;
  }
  Value b = tape.take(graph.input(node, 1));
  tape.give(graph.output_of(node, 0), eager::subtract(tape, a, b));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::subtract_operation{
    "subtract", "subtract(a, b)", "a - b, with broadcasting", kTwoOperands, build, run, cost,
    true,       divide_elements};

}  // namespace dtp::ops

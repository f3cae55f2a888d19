#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) {
  const Shape x = call.shape(0);
  if (x.rank() != 4) return wrong_rank(call, 0, "[B, heads, T, d]");
  Shape shape = {x[0], x[2], {x[1].value * x[3].value, false}};
  return call.emit(table::merge_heads_operation, {call.tensor(0)}, {}, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value swapped = eager::transpose(tape, x, 1, 2);
  x.reset();
  tape.give(graph.output_of(node, 0), eager::view(tape, swapped, shape));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

void divide(Division& d) {
  if (d.inputs[0] != 1 && d.inputs[0] != 2) return;
  d.wanted[0] = d.inputs[0];
  d.outputs[0] = d.inputs[0] == 1 ? 2 : 1;
}

}  // namespace

const Operation table::merge_heads_operation{
    "merge_heads",
    "merge_heads(x)",
    "[B, heads, T, d] as [B, T, heads * d]; a copy unless the memory already lies so",
    kOneTensor,
    build,
    run,
    cost,
    true,
    divide};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"heads", Accepts::integer}};

Result build(Call& call) {
  const Shape x = call.shape(0);
  if (x.rank() != 3) return wrong_rank(call, 0, "[B, T, D]");
  int64_t heads = call.integer(1);
  if (heads < 1 || x[2].batch || x[2].value % heads != 0) {
    Failure failure = call.fail("a width of " + to_string(x[2]) + " does not split into " +
                                    std::to_string(heads) + " heads",
                                1, "does not divide it");
    call.explain(failure, call.tensor(0));
    return failure;
  }
  Shape shape = {x[0], {heads, false}, x[1], {x[2].value / heads, false}};
  return call.emit(table::split_heads_operation, {call.tensor(0)}, {}, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape out = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value four = eager::view(tape, x, {x.shape()[0], x.shape()[1], out[1], out[3]});
  tape.give(graph.output_of(node, 0), eager::transpose(tape, four, 1, 2));
}

void divide(Division& d) {
  if (d.inputs[0] == kWhole) return;
  d.wanted[0] = d.inputs[0];
  d.outputs[0] = d.inputs[0] == 2 ? 1 : 2;
}

}  // namespace

const Operation table::split_heads_operation{"split_heads",
                                             "split_heads(x, heads)",
                                             "[B, T, D] as [B, heads, T, D / heads]; a view",
                                             kFormals,
                                             build,
                                             run,
                                             no_cost,
                                             true,
                                             divide};

}  // namespace dtp::ops

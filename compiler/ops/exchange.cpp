// What stands between two nodes of which one leaves a tensor divided over the tensor-parallel ranks
// and the other wants it whole, or the other way round. integers: the axis.
#include "ops/common.h"
#include "ops/division.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"axis", Accepts::integer}};

Result build(Call& call) {
  return call.fail("only tensor parallelism makes this", "no model writes it");
}

// Forward an all-gather, backward a reduce-scatter: both into new memory.
void run_gather(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  TensorId out = graph.output_of(node, 0);
  tape.give(out, eager::resampled(tape, x, tape.shape(graph[out].shape)));
}

Cost cost_gather(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 0);
  graph::Monomial whole = graph[graph.output_of(node, 0)].shape.elements();
  cost.sent_forward.add(whole);
  cost.sent_backward.add(whole);
  cost.messages_forward = cost.messages_backward = 1;
  cost.rounds_forward = cost.rounds_backward = 1;
  return cost;
}

// Forward a view of the rank's part, backward the parts of all ranks.
void run_part(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  TensorId out = graph.output_of(node, 0);
  auto axis = static_cast<int>(node.attributes.integers[0]);
  tape.give(out, eager::slice(tape, x, axis, tape.shape(graph[out].shape)[axis]));
}

Cost cost_part(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 0);
  cost.sent_backward.add(graph[graph.input(node, 0)].shape.elements());
  cost.messages_backward = cost.rounds_backward = 1;
  return cost;
}

}  // namespace

const Operation table::gather_parts_operation{"gather_parts",
                                              "gather_parts(x, axis)",
                                              "the parts of all tensor-parallel ranks",
                                              kFormals,
                                              build,
                                              run_gather,
                                              cost_gather,
                                              false};
const Operation table::own_part_operation{"own_part",
                                          "own_part(x, axis)",
                                          "the part of a tensor that one rank works on",
                                          kFormals,
                                          build,
                                          run_part,
                                          cost_part,
                                          false};

}  // namespace dtp::ops

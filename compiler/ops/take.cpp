#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"places"}};

Result build(Call& call) {
  const Shape x = call.shape(0), places = call.shape(1);
  if (x.rank() < 2) return wrong_rank(call, 0, "[B, T, ..]");
  if (call.operand(1).element != Element::integer) {
    Failure failure = call.fail("`take` reads the places of whole numbers", 1, "real numbers");
    call.explain(failure, call.tensor(1));
    return failure;
  }
  if (places.rank() != 2 || places[0] != x[0])
    return wrong_rank(call, 1, "[B, N]: the same samples as " + to_string(x));
  Shape shape = x;
  shape[1] = places[1];
  return call.emit(table::take_operation, {call.tensor(0), call.tensor(1)}, {}, shape,
                   call.operand(0).element);
}

// torch.gather along axis 1 with the places expanded over the rest, a view. derivatives.yaml,
// `gather`: saves both; backward is a tensor of zeros with rows added.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value places = tape.take(graph.input(node, 1));
  TensorId out = graph.output_of(node, 0);
  std::vector<Value> saved{eager::detached(tape, x), eager::detached(tape, places)};
  tape.give(out, eager::resampled(tape, x, tape.shape(graph[out].shape), std::move(saved)));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0, 2); }

}  // namespace

const Operation table::take_operation{"take",
                                      "take(x, places)",
                                      "[B, N, ..]: of each sample of [B, T, ..] the rows that "
                                      "[B, N] names",
                                      kFormals,
                                      build,
                                      run,
                                      cost};

}  // namespace dtp::ops

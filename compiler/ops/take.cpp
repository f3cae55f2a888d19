#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"places"}, {"copied", Accepts::flag, false, 0}};

// integers: whether the places are copied.
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
  Attributes attributes;
  attributes.integers[0] = call.flag(2);
  return call.emit(table::take_operation, {call.tensor(0), call.tensor(1)}, attributes, shape,
                   call.operand(0).element);
}

// torch.gather along axis 1 with the places expanded over the rest: a view, or what `repeat`
// copies. derivatives.yaml, `gather`: saves both; backward is a tensor of zeros with rows added.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value places = tape.take(graph.input(node, 1));
  TensorId out = graph.output_of(node, 0);
  Shape shape = tape.shape(graph[out].shape);
  Value wide = node.attributes.integers[0] != 0 ? tape.allocate(shape, DType::int64) : places;
  std::vector<Value> saved{eager::detached(tape, x), eager::detached(tape, wide)};
  tape.give(out, eager::resampled(tape, x, shape, std::move(saved)));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0, 2); }

}  // namespace

const Operation table::take_operation{"take",
                                      "take(x, places, copied = false)",
                                      "[B, N, ..]: of each sample of [B, T, ..] the rows that "
                                      "[B, N] names, which may be copied for every column",
                                      kFormals,
                                      build,
                                      run,
                                      cost};

}  // namespace dtp::ops

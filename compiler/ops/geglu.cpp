#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}};

Result build(Call& call) {
  Shape shape = call.shape(0);
  if (shape.rank() == 0 || shape.back().batch || shape.back().value % 2 != 0)
    return wrong_rank(call, 0, "a last axis of an even size: half of it gates the other");
  shape[shape.rank() - 1].value /= 2;
  return call.emit(table::geglu_operation, {call.tensor(0)}, {}, shape);
}

// As GEGLU of diffusers composes it: `h, gate = x.chunk(2, -1); h * gelu(gate)`. The halves are
// views of x, which stays whole.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  auto halves = eager::split(tape, x, 2, x.shape().rank() - 1);
  x.reset();
  Value gate = eager::saves_input(tape, halves[1]);
  halves[1].reset();
  tape.give(graph.output_of(node, 0), eager::multiply(tape, halves[0], gate));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 9, 2); }

// The weights before it lie so that each rank has its share of both halves.
void divide(Division& d) { d.wanted[0] = d.outputs[0] = d.inputs[0]; }

}  // namespace

const Operation table::geglu_operation{
    "geglu",  "geglu(x)", "half of the last axis times the gelu of the other half",
    kFormals, build,      run,
    cost,     true,       divide};

}  // namespace dtp::ops

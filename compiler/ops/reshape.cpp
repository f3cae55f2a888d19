#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"shape", Accepts::dims}};

Result build(Call& call) {
  Shape shape{std::span<const Dim>(call.dims(1))};
  if (shape.elements() != call.shape(0).elements()) {
    Failure failure =
        call.fail("shape " + to_string(call.shape(0)) + " does not reshape to " + to_string(shape),
                  1, "another number of elements");
    call.explain(failure, call.tensor(0));
    return failure;
  }
  return call.emit(table::reshape_operation, {call.tensor(0)}, {}, shape, call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), eager::view(tape, x, shape));
}

// Rows of the same width in another order of axes.
void divide(Division& d) {
  const Shape& out = d.graph[d.graph.output_of(d.node, 0)].shape;
  if (d.inputs[0] == kWhole || d.inputs[0] != d.last(0) || out.rank() == 0) return;
  // The input is one rank's share by now, the result still whole.
  const Shape& in = d.graph[d.graph.input(d.node, 0)].shape;
  if (out.back().batch || in.back().batch) return;
  if ((out.back().value + d.ranks - 1) / d.ranks != in.back().value) return;
  d.wanted[0] = d.inputs[0];
  d.outputs[0] = out.rank() - 1;
}

}  // namespace

const Operation table::reshape_operation{
    "reshape",
    "reshape(x, [sizes])",
    "the same elements in another shape; a view where strides allow, else a copy",
    kFormals,
    build,
    run,
    no_cost,
    true,
    divide};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"sizes", Accepts::dims}};

Result build(Call& call) {
  const Shape from = call.shape(0);
  Shape shape{std::span<const Dim>(call.dims(1))};
  bool fits = from.rank() == shape.rank();
  for (int i = 0; fits && i < shape.rank(); ++i)
    fits = from[i] == shape[i] || from[i] == Dim{1, false};
  if (!fits) {
    Failure failure = call.fail(to_string(from) + " does not expand to " + to_string(shape), 1,
                                "sizes of 1 may grow, all others stay");
    call.explain(failure, call.tensor(0));
    return failure;
  }
  return call.emit(table::expand_operation, {call.tensor(0)}, {}, shape, call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  TensorId out = graph.output_of(node, 0);
  tape.give(out, eager::expand(tape, x, tape.shape(graph[out].shape)));
}

}  // namespace

const Operation table::expand_operation{"expand",
                                        "expand(x, [sizes])",
                                        "axes of size 1 repeated to other sizes; a view",
                                        kFormals,
                                        build,
                                        run,
                                        no_cost};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"probability", Accepts::number}};

// reals: probability.
Result build(Call& call) {
  double p = call.number(1);
  if (!(p >= 0 && p < 1))
    return call.fail("a dropout probability lies between 0 and 1", 1, "not such a probability");
  Attributes attributes;
  attributes.reals[0] = p;
  Shape shape = call.shape(0);
  return call.emit(table::dropout_operation, {call.tensor(0)}, attributes, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  if (node.attributes.reals[0] == 0) {
    tape.give(graph.output_of(node, 0), std::move(x));
    return;
  }
  tape.give(graph.output_of(node, 0), eager::dropout(tape, x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 3); }

}  // namespace

const Operation table::dropout_operation{"dropout",
                                         "dropout(x, probability)",
                                         "each element becomes 0 with a probability, in training",
                                         kFormals,
                                         build,
                                         run,
                                         cost,
                                         true,
                                         divide_elements};

}  // namespace dtp::ops

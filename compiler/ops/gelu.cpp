#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"},
                               {"approximate", Accepts::word, false, 0, "none", "none|tanh"}};

// integers: 1 for the approximation by tanh.
Result build(Call& call) {
  Attributes attributes;
  attributes.integers[0] = call.word(1) == "tanh";
  return same_shape(call, table::gelu_operation, attributes);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::saves_input(tape, x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 8); }

}  // namespace

const Operation table::gelu_operation{"gelu",
                                      "gelu(x, approximate = none | tanh)",
                                      "Gaussian error linear unit; saves its input",
                                      kFormals,
                                      build,
                                      run,
                                      cost,
                                      true,
                                      divide_elements};

}  // namespace dtp::ops

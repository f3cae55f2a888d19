#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"heads", Accepts::integer}, {"length", Accepts::integer}};

Result build(Call& call) {
  for (size_t i = 0; i < 2; ++i)
    if (call.integer(i) < 1 || call.integer(i) > graph::kMostElements)
      return call.fail("`alibi` of " + std::to_string(call.integer(i)), i, "at least 1");
  Shape shape = {{call.integer(0), false}, {1, false}, {call.integer(1), false}};
  return call.emit(table::alibi_operation, {}, {}, shape);
}

// Positions as real numbers, and their product with the slope of each head.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value slopes = tape.allocate({shape[0], shape[1], shape[1]}, tape.real_type());
  Value positions = tape.allocate({shape[2]}, tape.real_type());
  tape.give(graph.output_of(node, 0), eager::multiply(tape, slopes, positions));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1, 3); }

}  // namespace

const Operation table::alibi_operation{
    "alibi",
    "alibi(heads, length)",
    "[heads, 1, length]: what linear biases add to the scores of each key, by its position and the "
    "slope of the head",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

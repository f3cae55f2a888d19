#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::random_normal_like_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), tape.allocate(x.shape(), x.type()));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 8); }

}  // namespace

const Operation table::random_normal_like_operation{
    "random_normal_like",
    "random_normal_like(x)",
    "standard normal numbers in the shape and type of x",
    kOneTensor,
    build,
    run,
    cost};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::to_fp32_operation); }

// `x.float()`: a copy of what has 16 bits, the tensor itself where it has not. Backward casts the
// gradient back.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  if (eager::is_16_bit(x.type())) x = tape.cast(x, DType::fp32, false);
  tape.give(graph.output_of(node, 0), std::move(x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::to_fp32_operation{
    "to_fp32",  "to_fp32(x)", "the same values in fp32: a copy where they have 16 bits",
    kOneTensor, build,        run,
    cost,       true,         divide_elements};

}  // namespace dtp::ops

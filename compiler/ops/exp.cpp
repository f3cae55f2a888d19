#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return same_shape(call, table::exp_operation); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  if (eager::raises(tape, tape.mechanisms().autocast_fp32_exp, x))
    x = tape.cast(x, DType::fp32, false);
  tape.give(graph.output_of(node, 0), eager::saves_result(tape, x));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 3); }

}  // namespace

const Operation table::exp_operation{"exp",      "exp(x)", "exponential; saves its result",
                                     kOneTensor, build,    run,
                                     cost,       true,     divide_elements};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) {
  Shape shape = call.shape(0);
  if (shape.rank() == 0 || shape.back().batch)
    return wrong_rank(call, 0, "a last axis that is not the batch");
  return call.emit(table::argsort_operation, {call.tensor(0)}, {}, shape, Element::integer);
}

// torch.argsort is torch.sort, whose values are let go (native/Sorting.cpp); on the CPU every row
// of places starts as a copy of one. The places have no gradient.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value sorted = tape.allocate(x.shape(), x.type());
  Value places = tape.allocate(x.shape(), DType::int64);
  if (tape.mechanisms().kernel_scratch) eager::scratch(tape, {x.shape().back()}, DType::int64);
  tape.give(graph.output_of(node, 0), std::move(places));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 3, 3);
  cost.work = Work::reduction;
  return cost;
}

}  // namespace

const Operation table::argsort_operation{
    "argsort",
    "argsort(x)",
    "where the elements of the last axis stand, from the least to the largest",
    kOneTensor,
    build,
    run,
    cost};

}  // namespace dtp::ops

// sum and mean: one operation but for what autograd does with it.
#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"axis", Accepts::integer, false, 0}};

template <const Operation& kSelf>
Result build(Call& call) {
  Shape shape = call.shape(0);
  if (call.given(1)) {
    auto axis = call.axis(1, shape.rank());
    if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
    shape.erase(std::get<int>(axis));
  } else {
    shape = Shape();
  }
  return call.emit(kSelf, {call.tensor(0)}, {}, shape);
}

template <auto kEager>
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), kEager(tape, x, shape));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 0);
  cost.work = Work::reduction;
  cost.flops.add(graph[graph.input(node, 0)].shape.elements());
  return cost;
}

}  // namespace

const Operation table::sum_operation{"sum",
                                     "sum(x) or sum(x, axis)",
                                     "the sum over all elements, or along an axis, which vanishes",
                                     kFormals,
                                     build<table::sum_operation>,
                                     run<eager::sum>,
                                     cost};
const Operation table::mean_operation{
    "mean",
    "mean(x) or mean(x, axis)",
    "the mean over all elements, or along an axis, which vanishes",
    kFormals,
    build<table::mean_operation>,
    run<eager::mean>,
    cost};

}  // namespace dtp::ops

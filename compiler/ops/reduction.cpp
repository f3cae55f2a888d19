// sum and mean: one operation but for what autograd does with it.
#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {
    {"x"}, {"axis", Accepts::integer, false, 0}, {"axes", Accepts::integers, false}};

// shape: the axes; none stands for all.
template <const Operation& kSelf>
Result build(Call& call) {
  Shape shape = call.shape(0);
  if (call.given(1) && call.given(2))
    return call.fail("`" + std::string(call.callee()) + "` along `axis` and along `axes`", 2,
                     "one of the two");
  size_t given = call.given(1) ? 1 : 2;
  auto axes = call.axes(given, shape.rank());
  if (auto* failure = std::get_if<Failure>(&axes)) return *failure;
  const auto& list = std::get<std::vector<int>>(axes);
  for (size_t i = list.size(); i-- > 0;) shape.erase(list[i]);
  if (!call.given(given)) shape = Shape();
  Attributes attributes;
  if (call.given(given))
    for (int axis : list) attributes.shape.push_back({axis, false});
  return call.emit(kSelf, {call.tensor(0)}, attributes, shape);
}

template <auto kEager>
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  unsigned vanished = 0;
  for (Dim axis : node.attributes.shape) vanished |= 1u << axis.value;
  tape.give(graph.output_of(node, 0), kEager(tape, x, shape, vanished));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 0);
  cost.work = Work::reduction;
  cost.flops.add(graph[graph.input(node, 0)].shape.elements());
  return cost;
}

}  // namespace

const Operation table::sum_operation{"sum",
                                     "sum(x), sum(x, axis) or sum(x, axes = [axes])",
                                     "the sum over all elements, or along axes, which vanish",
                                     kFormals,
                                     build<table::sum_operation>,
                                     run<eager::sum>,
                                     cost};
const Operation table::mean_operation{"mean",
                                      "mean(x), mean(x, axis) or mean(x, axes = [axes])",
                                      "the mean over all elements, or along axes, which vanish",
                                      kFormals,
                                      build<table::mean_operation>,
                                      run<eager::mean>,
                                      cost};

}  // namespace dtp::ops

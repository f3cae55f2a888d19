#include "ops/common.h"

namespace dtp::ops {

Cost no_cost(const Graph&, const Node&) { return {}; }

void add_traffic(Cost& cost, const Graph& graph, const Node& node) {
  for (uint32_t id : graph.list(node.inputs)) cost.reads.add(graph.tensors[id].shape.elements());
  for (uint32_t id : graph.list(node.outputs)) cost.writes.add(graph.tensors[id].shape.elements());
  for (uint32_t id : graph.list(node.parameters))
    cost.weights += static_cast<double>(graph.parameters[id].elements());
}

Cost elementwise_cost(const Graph& graph, const Node& node, double flops, int kernels) {
  Cost cost;
  cost.work = Work::elementwise;
  cost.kernels = kernels;
  cost.flops.add(graph[graph.output_of(node, 0)].shape.elements(), flops);
  add_traffic(cost, graph, node);
  return cost;
}

Cost normalization_cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 8);
  cost.work = Work::normalization;
  return cost;
}

Cost product_cost(const Graph& graph, const Node& node, graph::Monomial elements, double width) {
  Cost cost;
  cost.work = Work::matmul;
  cost.kernels = 1;
  cost.macs.add(elements, width);
  cost.flops.add(elements, 2 * width);
  cost.weight_product = true;
  add_traffic(cost, graph, node);
  return cost;
}

Result same_shape(Call& call, const Operation& operation, const Attributes& attributes) {
  const graph::Tensor& x = call.operand(0);
  Shape shape = x.shape;
  return call.emit(operation, {call.tensor(0)}, attributes, shape, x.element);
}

Failure wrong_rank(const Call& call, size_t i, std::string_view wanted) {
  Failure failure = call.fail("`" + std::string(call.callee()) + "` wants " + std::string(wanted),
                              i, "this has shape " + to_string(call.shape(i)));
  call.explain(failure, call.tensor(i));
  return failure;
}

std::optional<Failure> check_whole_numbers(const Call& call, size_t i) {
  if (call.operand(i).element == Element::integer) return std::nullopt;
  Failure failure =
      call.fail("`" + std::string(call.callee()) + "` wants whole numbers", i, "not whole numbers");
  call.explain(failure, call.tensor(i));
  return failure;
}

bool is_one(Dim dim) { return dim == Dim{1, false}; }

}  // namespace dtp::ops

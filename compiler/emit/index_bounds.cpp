#include "emit/index_bounds.h"

#include <algorithm>
#include <ranges>

#include "ops/operation.h"

namespace dtp::emit {
namespace {

// How many rows the operation has to look numbers of its input `i` up in; 0: it looks nothing up.
int64_t rows_looked_up(const graph::Graph& graph, const graph::Node& node, uint32_t i) {
  std::string_view operation = node.operation->name;
  if (operation == "embedding") return graph[graph.parameter(node, 0)].shape[0].value;
  if (operation == "cross_entropy" && i == 1) return graph[graph.input(node, 0)].shape.back().value;
  if (operation == "take" && i == 1) return graph[graph.input(node, 0)].shape[1].value;
  if (operation == "replace_at_random") return node.attributes.integers[0];
  return 0;
}

}  // namespace

// From the last node to the first: what bounds a result bounds what it was taken from.
IndexBounds::IndexBounds(const graph::Graph& graph) : graph_(graph), below_(graph.tensors.size()) {
  for (const graph::Node& node : std::views::reverse(graph.nodes)) {
    int64_t of_results = 0;
    for (uint32_t id : graph.list(node.outputs))
      if (int64_t b = below_[id]; b > 0) of_results = of_results > 0 ? std::min(of_results, b) : b;
    for (uint32_t i = 0; i < node.inputs.count; ++i) {
      graph::TensorId id = graph.input(node, i);
      if (graph[id].element != graph::Element::integer) continue;
      bound(id.value, of_results);
      bound(id.value, rows_looked_up(graph, node, i));
    }
  }
}

void IndexBounds::bound(uint32_t tensor, int64_t below) {
  if (below <= 0) return;
  int64_t& known = below_[tensor];
  known = known > 0 ? std::min(known, below) : below;
}

int64_t IndexBounds::below(graph::TensorId tensor) const {
  if (graph_[tensor].element == graph::Element::real) return 0;
  int64_t known = below_[tensor.value];
  return known > 0 ? known : 2;
}

}  // namespace dtp::emit

#include "estimate/work_list.h"

#include "ops/operation.h"

namespace dtp::estimate {
namespace {

class Collector {
 public:
  Collector(const graph::Graph& graph, std::vector<WorkItem>& items)
      : graph_(graph), items_(items), needs_gradient_(graph.tensors.size()) {}

  void region(graph::RegionId id, double times, bool recomputable, bool gradients) {
    for (graph::Item item : graph_.regions[id.value].items) {
      switch (item.kind) {
        case graph::ItemKind::node:
          node(graph_.nodes[item.index], times, recomputable, gradients);
          break;
        case graph::ItemKind::no_gradient:
          region(graph_.no_gradients[item.index].body, times, recomputable, false);
          break;
        case graph::ItemKind::repeat:
          repeat(graph_.repeats[item.index], times, recomputable, gradients);
          break;
        case graph::ItemKind::keep_alive: break;
      }
    }
  }

 private:
  void repeat(const graph::Repeat& r, double times, bool recomputable, bool gradients) {
    // A carried tensor needs a gradient in the middle iterations when the body's result does.
    for (const graph::Carried& c : r.carried)
      needs_gradient_[c.inner_in.value] = needs_gradient_[c.outer_in.value];
    size_t before = items_.size();
    double inner = times * static_cast<double>(r.count);
    region(r.body, inner, recomputable || r.checkpointed, gradients);
    bool again = false;
    for (const graph::Carried& c : r.carried) {
      bool result = needs_gradient_[c.inner_out.value];
      again |= result && !needs_gradient_[c.inner_in.value];
      needs_gradient_[c.inner_in.value] = needs_gradient_[c.inner_in.value] || result;
    }
    if (again) {
      items_.resize(before);
      region(r.body, inner, recomputable || r.checkpointed, gradients);
    }
    for (const graph::Carried& c : r.carried)
      needs_gradient_[c.outer_out.value] = needs_gradient_[c.inner_out.value];
  }

  void node(const graph::Node& n, double times, bool recomputable, bool gradients) {
    WorkItem item;
    item.cost = n.operation->cost(graph_, n);
    item.times = times;
    item.recomputable = recomputable;
    for (uint32_t id : graph_.list(n.inputs)) item.input_gradient |= needs_gradient_[id];
    for (uint32_t id : graph_.list(n.parameters))
      item.weight_gradient |= graph_.parameters[id].trainable;
    item.input_gradient &= gradients && n.operation->name != "detach";
    item.weight_gradient &= gradients;
    bool result = item.input_gradient || item.weight_gradient;
    for (uint32_t id : graph_.list(n.outputs)) needs_gradient_[id] = result;
    if (item.cost.work != ops::Work::none) items_.push_back(item);
  }

  const graph::Graph& graph_;
  std::vector<WorkItem>& items_;
  std::vector<bool> needs_gradient_;
};

}  // namespace

WorkList::WorkList(const graph::Graph& graph) {
  Collector(graph, items_).region({0}, 1, false, true);
}

}  // namespace dtp::estimate

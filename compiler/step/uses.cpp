#include "step/uses.h"

#include <unordered_map>
#include <unordered_set>

namespace dtp::step {
namespace {

class UseCounter {
 public:
  UseCounter(const graph::Graph& graph, int calls_keep_arguments)
      : graph_(graph), depth_(calls_keep_arguments), result_(graph.regions.size()) {}

  std::vector<RegionUses> count() {
    Frame frame;
    items({0}, frame);
    if (graph_.output.valid()) frame.use(graph_.output.value);
    result_[0].uses = std::move(frame.uses);
    return std::move(result_);
  }

 private:
  struct Frame {
    void use(uint32_t tensor) {
      auto [place, fresh] = at.try_emplace(tensor, uses.size());
      if (fresh) uses.push_back({tensor, 0});
      ++uses[place->second].times;
    }
    // A graph may have many small regions: nothing here is of the size of the whole.
    std::vector<RegionUses::Use> uses;
    std::unordered_map<uint32_t, size_t> at;  // by tensor: place in uses
    std::unordered_set<uint32_t> made;
  };

  void items(graph::RegionId region, Frame& frame) {
    for (graph::Item item : graph_.regions[region.value].items) {
      switch (item.kind) {
        case graph::ItemKind::node: {
          const graph::Node& node = graph_.nodes[item.index];
          for (uint32_t id : graph_.list(node.inputs)) frame.use(id);
          for (uint32_t id : graph_.list(node.outputs)) frame.made.insert(id);
          break;
        }
        case graph::ItemKind::repeat: repeat(graph_.repeats[item.index], frame); break;
        case graph::ItemKind::no_gradient:
          items(graph_.no_gradients[item.index].body, frame);
          break;
        case graph::ItemKind::keep_alive: {
          const graph::KeepAlive& keep = graph_.keep_alives[item.index];
          if (keep.depth > depth_) break;
          for (uint32_t id : graph_.list(keep.tensors)) frame.use(id);
          break;
        }
      }
    }
  }

  void repeat(const graph::Repeat& r, Frame& outer) {
    Frame inner;
    for (const graph::Carried& c : r.carried) {
      inner.made.insert(c.inner_in.value);
      outer.use(c.outer_in.value);
      outer.made.insert(c.outer_out.value);
    }
    items(r.body, inner);
    for (const graph::Carried& c : r.carried) inner.use(c.inner_out.value);
    RegionUses& uses = result_[r.body.value];
    for (const RegionUses::Use& u : inner.uses)
      if (!inner.made.contains(u.tensor)) uses.captured.push_back(u.tensor);
    uses.uses = std::move(inner.uses);
    for (uint32_t id : uses.captured) outer.use(id);
  }

  const graph::Graph& graph_;
  int depth_;
  std::vector<RegionUses> result_;
};

}  // namespace

std::vector<RegionUses> count_uses(const graph::Graph& graph, int calls_keep_arguments) {
  return UseCounter(graph, calls_keep_arguments).count();
}

}  // namespace dtp::step

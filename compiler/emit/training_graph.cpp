#include "emit/training_graph.h"

#include <algorithm>
#include <unordered_map>

#include "emit/index_bounds.h"
#include "ops/operation.h"
#include "step/uses.h"

namespace dtp::emit {
namespace {

runtime::Shape shape_of(const graph::Shape& shape) {
  runtime::Shape out;
  for (graph::Dim d : shape) out.push_back({d.value, d.batch});
  return out;
}

// Both enumerations have the same cases in the same order.
runtime::Element element_of(graph::Element e) { return static_cast<runtime::Element>(e); }
runtime::Start start_of(graph::Start s) { return static_cast<runtime::Start>(s); }
static_assert(static_cast<int>(graph::Element::boolean) ==
              static_cast<int>(runtime::Element::boolean));
static_assert(static_cast<int>(graph::Start::sines) == static_cast<int>(runtime::Start::sines));

// "stages.{s}.blocks.{i}" -> "i"
std::string variable_of(const std::string& path) {
  size_t open = path.rfind('{'), close = path.rfind('}');
  return open == std::string::npos ? "" : path.substr(open + 1, close - open - 1);
}

class Writer {
 public:
  Writer(const graph::Graph& graph, int depth)
      : graph_(graph), depth_(depth), uses_(step::count_uses(graph, depth)) {}

  runtime::Graph write() {
    declare();
    out_.regions.resize(graph_.regions.size());
    region({0});
    out_.output = graph_.output.value;
    return std::move(out_);
  }

 private:
  // The tensors whose uses are still to come in the region that is written.
  using Remaining = std::unordered_map<uint32_t, uint32_t>;

  void declare() {
    for (const graph::Tensor& t : graph_.tensors)
      out_.tensors.push_back({shape_of(t.shape), element_of(t.element)});
    const IndexBounds bounds(graph_);
    for (graph::TensorId id : graph_.inputs)
      out_.inputs.push_back({graph_[id].name, id.value, bounds.below(id)});
    for (const graph::Parameter& p : graph_.parameters) {
      runtime::Parameter parameter{.key = p.key,
                                   .element = element_of(p.element),
                                   .trainable = p.trainable,
                                   .frozen = p.frozen || p.kept,
                                   .saved = p.saved,
                                   .scope = p.scope.value,
                                   .start = start_of(p.start),
                                   .scale = p.scale};
      for (graph::Dim d : p.shape) parameter.shape.push_back(d.value);
      out_.parameters.push_back(std::move(parameter));
    }
    for (const graph::Scope& s : graph_.scopes) {
      bool root = s.repeat == graph::kNone;
      out_.scopes.push_back({root ? 0 : s.parent.value, root ? 1 : graph_.repeats[s.repeat].count,
                             root ? "" : variable_of(graph_.path(s.path))});
    }
    out_.nodes.resize(graph_.nodes.size());
    out_.repeats.resize(graph_.repeats.size());
    out_.no_gradients.resize(graph_.no_gradients.size());
  }

  void region(graph::RegionId id) {
    Remaining remaining;
    for (const step::RegionUses::Use& use : uses_[id.value].uses) remaining[use.tensor] = use.times;
    items(id, remaining);
  }

  // A use of `tensor`; the last one goes to `frees`.
  static void use(uint32_t tensor, Remaining& remaining, std::vector<uint32_t>& frees) {
    if (--remaining[tensor] == 0) frees.push_back(tensor);
  }

  void items(graph::RegionId id, Remaining& remaining) {
    std::vector<runtime::Item> items;
    for (graph::Item item : graph_.regions[id.value].items) {
      switch (item.kind) {
        case graph::ItemKind::node:
          items.push_back({runtime::ItemKind::node, item.index});
          node(item.index, remaining);
          break;
        case graph::ItemKind::repeat:
          items.push_back({runtime::ItemKind::repeat, item.index});
          repeat(item.index, remaining);
          break;
        case graph::ItemKind::no_gradient:
          items.push_back({runtime::ItemKind::no_gradient, item.index});
          out_.no_gradients[item.index].body = graph_.no_gradients[item.index].body.value;
          this->items(graph_.no_gradients[item.index].body, remaining);
          break;
        case graph::ItemKind::keep_alive: release(item.index, remaining, items); break;
      }
    }
    out_.regions[id.value].items = std::move(items);
  }

  void node(uint32_t index, Remaining& remaining) {
    const graph::Node& from = graph_.nodes[index];
    runtime::Node& to = out_.nodes[index];
    auto copy = [&](graph::Operands run) {
      auto list = graph_.list(run);
      return std::vector<uint32_t>(list.begin(), list.end());
    };
    to.operation = from.operation->name;
    to.path = graph_.path(from.path);
    to.inputs = copy(from.inputs);
    to.outputs = copy(from.outputs);
    to.parameters = copy(from.parameters);
    to.integers.assign(from.attributes.integers.begin(), from.attributes.integers.end());
    to.reals.assign(from.attributes.reals.begin(), from.attributes.reals.end());
    to.shape = shape_of(from.attributes.shape);
    for (uint32_t id : to.inputs) use(id, remaining, to.frees);
  }

  void repeat(uint32_t index, Remaining& remaining) {
    const graph::Repeat& from = graph_.repeats[index];
    const step::RegionUses& inner = uses_[from.body.value];
    runtime::Repeat& to = out_.repeats[index];
    to.count = from.count;
    to.body = from.body.value;
    to.checkpointed = from.checkpointed;
    to.path = graph_.path(from.path);
    to.scope = from.scope.value;
    to.captured = inner.captured;
    for (const graph::Carried& c : from.carried) {
      bool read = std::any_of(inner.uses.begin(), inner.uses.end(),
                              [&](const auto& u) { return u.tensor == c.inner_in.value; });
      bool used = remaining[c.outer_out.value] > 0;
      to.carried.push_back(
          {c.outer_in.value, c.inner_in.value, c.inner_out.value, c.outer_out.value, used, read});
      use(c.outer_in.value, remaining, to.frees);
    }
    for (uint32_t id : to.captured) use(id, remaining, to.frees);
    region(from.body);
  }

  void release(uint32_t index, Remaining& remaining, std::vector<runtime::Item>& items) {
    const graph::KeepAlive& keep = graph_.keep_alives[index];
    if (keep.depth > depth_) return;
    runtime::Release release;
    for (uint32_t id : graph_.list(keep.tensors)) use(id, remaining, release.frees);
    if (release.frees.empty()) return;
    items.push_back({runtime::ItemKind::release, static_cast<uint32_t>(out_.releases.size())});
    out_.releases.push_back(std::move(release));
  }

  const graph::Graph& graph_;
  int depth_;
  std::vector<step::RegionUses> uses_;
  runtime::Graph out_;
};

}  // namespace

runtime::Graph training_graph(const graph::Graph& graph, int calls_keep_arguments) {
  return Writer(graph, calls_keep_arguments).write();
}

}  // namespace dtp::emit

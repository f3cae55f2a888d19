#include "model/tensor_parallel.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/out.h"
#include "ops/division.h"
#include "ops/operation.h"
#include "ops/table.h"

namespace dtp::model {
namespace {

using ops::kWhole;

// Goes through the graph in program order. A tensor's shape becomes that of the rank's part when
// the node that makes it is reached, so that nodes behind it find their inputs as they are.
class Divider {
 public:
  Divider(graph::Graph& graph, const TensorParallel& parallel)
      : graph_(graph), parallel_(parallel), axes_(graph.tensors.size(), kWhole) {}

  std::optional<Undivided> run() {
    region({0});
    return std::move(failed_);
  }

 private:
  int axis(uint32_t tensor) const { return axes_[tensor]; }

  void region(graph::RegionId id) {
    std::vector<graph::Item> items = std::move(graph_.regions[id.value].items);
    std::vector<graph::Item> made;
    made.reserve(items.size());
    std::swap(made, made_);
    std::map<std::pair<uint32_t, int>, uint32_t> converted;
    std::swap(converted, converted_);
    for (graph::Item item : items) {
      if (failed_) break;
      switch (item.kind) {
        case graph::ItemKind::node: node(item.index); break;
        case graph::ItemKind::repeat: enter(graph_.repeats[item.index]); break;
        case graph::ItemKind::no_gradient: region(graph_.no_gradients[item.index].body); break;
        case graph::ItemKind::keep_alive: break;
      }
      made_.push_back(item);
      if (item.kind == graph::ItemKind::repeat) leave(graph_.repeats[item.index]);
    }
    std::swap(converted, converted_);
    std::swap(made, made_);
    graph_.regions[id.value].items = std::move(made);
  }

  // What a repeat carries goes round as it came in. A sequence is divided before the first
  // iteration where the body would leave it so.
  void enter(graph::Repeat& repeat) {
    bool sequence = parallel_.sequence && divides_rows(repeat.body);
    for (size_t i = 0; i < repeat.carried.size(); ++i) {
      graph::TensorId outer = repeat.carried[i].outer_in;
      const graph::Tensor& t = graph_[outer];
      if (sequence && axis(outer.value) == kWhole && t.shape.rank() == 3 && !t.shape[1].batch &&
          t.element == graph::Element::real)
        outer = {converted(outer.value, 1, repeat.span, repeat.path)};
      if (failed_) return;
      graph::Carried& c = repeat.carried[i];
      c.outer_in = outer;
      graph_.tensors[c.inner_in.value].shape = graph_[outer].shape;
      axes_[c.inner_in.value] = axis(outer.value);
    }
    graph::RegionId body = repeat.body;
    region(body);
    if (failed_) return;
    // The conversions of its results stand at the end of the body.
    std::swap(made_, graph_.regions[body.value].items);
    for (graph::Carried& c : repeat.carried)
      c.inner_out = {
          converted(c.inner_out.value, axis(c.inner_in.value), repeat.span, repeat.path)};
    std::swap(made_, graph_.regions[body.value].items);
  }

  void leave(const graph::Repeat& repeat) {
    for (const graph::Carried& c : repeat.carried) {
      graph_.tensors[c.outer_out.value].shape = graph_[c.inner_out].shape;
      axes_[c.outer_out.value] = axis(c.inner_out.value);
    }
  }

  // Whether some product in the region is divided by rows: its result is what a sequence is
  // divided for.
  bool divides_rows(graph::RegionId id) const {
    for (graph::Item item : graph_.regions[id.value].items) {
      if (item.kind == graph::ItemKind::repeat && divides_rows(graph_.repeats[item.index].body))
        return true;
      if (item.kind != graph::ItemKind::node) continue;
      for (uint32_t p : graph_.list(graph_.nodes[item.index].parameters))
        if (graph_.parameters[p].sharding == graph::Sharding::row) return true;
    }
    return false;
  }

  void node(uint32_t index) {
    graph::Node node = graph_.nodes[index];
    ops::Division d{graph_, node, parallel_.ranks, parallel_.sequence, parallel_.regathers};
    for (uint32_t id : graph_.list(node.inputs)) d.inputs.push_back(axis(id));
    d.wanted.assign(node.inputs.count, kWhole);
    d.outputs.assign(node.outputs.count, kWhole);
    d.parameters.assign(node.parameters.count, kWhole);
    if (node.operation->divide) node.operation->divide(d);
    for (uint32_t i = 0; i < node.inputs.count && !failed_; ++i) {
      uint32_t id =
          converted(graph_.operands[node.inputs.begin + i], d.wanted[i], node.span, node.path);
      graph_.operands[node.inputs.begin + i] = id;
    }
    for (uint32_t i = 0; i < node.parameters.count && !failed_; ++i)
      if (d.parameters[i] != kWhole) share(graph_.parameter(node, i), d.parameters[i]);
    bool vocabulary = node.parameters.count > 0 &&
                      graph_[graph_.parameter(node, 0)].sharding == graph::Sharding::vocab;
    for (uint32_t id : graph_.list(node.inputs)) vocabulary |= filled_up_.contains(id);
    for (uint32_t i = 0; i < node.outputs.count && !failed_; ++i)
      make(graph_.output_of(node, i), d.outputs[i], node, vocabulary);
    if (d.exchange == ops::Exchange::none) return;
    bool enters = d.exchange == ops::Exchange::copied || d.exchange == ops::Exchange::gathered;
    bool again = enters && !entered_.insert(graph_.input(node, 0).value).second;
    if (again && d.exchange == ops::Exchange::copied) return;
    if (again) d.exchange = ops::Exchange::gathered_before;
    graph_.nodes[index].attributes.integers[3] = static_cast<int64_t>(d.exchange);
  }

  void make(graph::TensorId id, int axis, const graph::Node& node, bool vocabulary) {
    axes_[id.value] = axis;
    if (axis == kWhole) return;
    graph::Tensor& t = graph_.tensors[id.value];
    graph::Dim& size = t.shape[axis];
    if (size.value % parallel_.ranks != 0 && !vocabulary) {
      bool moves = node.operation == &ops::table::own_part_operation;
      failed_ = {moves ? format("a sequence is {}", graph::to_string(t.shape))
                       : format("`{}` makes {}", node.operation->name, graph::to_string(t.shape)),
                 size.value, node.span};
      return;
    }
    if (size.value % parallel_.ranks != 0) filled_up_.insert(id.value);
    size.value = (size.value + parallel_.ranks - 1) / parallel_.ranks;
  }

  // A vocabulary that does not divide is filled up, as Megatron does.
  void share(graph::ParameterId id, int axis) {
    graph::Parameter& p = graph_.parameters[id.value];
    if (p.divided > 1 || axis >= p.shape.rank()) return;
    graph::Dim& size = p.shape[axis];
    if (size.value % parallel_.ranks != 0 && p.sharding != graph::Sharding::vocab) {
      failed_ = {format("`{}` is {}", p.key, graph::to_string(p.shape)), size.value, p.span};
      return;
    }
    size.value = (size.value + parallel_.ranks - 1) / parallel_.ranks;
    p.divided = parallel_.ranks;
  }

  // The tensor as it is wanted, behind a node that brings it so.
  uint32_t converted(uint32_t id, int wanted, Span span, graph::PathId path) {
    int now = axis(id);
    if (now == wanted || failed_) return id;
    if (now != kWhole && wanted != kWhole)
      id = converted(id, kWhole, span, path);  // from one axis to another
    auto known = converted_.find({id, wanted});
    if (known != converted_.end()) return known->second;
    const ops::Operation& operation =
        wanted == kWhole ? ops::table::gather_parts_operation : ops::table::own_part_operation;
    graph::Tensor tensor = graph_.tensors[id];
    tensor.made_by = operation.name;
    tensor.name.clear();
    int at = wanted == kWhole ? now : wanted;
    if (wanted == kWhole) tensor.shape[at].value *= parallel_.ranks;
    auto result = static_cast<uint32_t>(graph_.tensors.size());
    graph_.tensors.push_back(std::move(tensor));
    axes_.push_back(kWhole);
    graph::Node node;
    node.operation = &operation;
    node.inputs = {static_cast<uint32_t>(graph_.operands.size()), 1};
    node.outputs = {static_cast<uint32_t>(graph_.operands.size() + 1), 1};
    graph_.operands.insert(graph_.operands.end(), {id, result});
    node.attributes.integers[0] = at;
    node.path = path;
    node.span = span;
    make({result}, wanted, node, false);
    made_.push_back({graph::ItemKind::node, static_cast<uint32_t>(graph_.nodes.size())});
    graph_.nodes.push_back(node);
    return converted_[{id, wanted}] = result;
  }

  graph::Graph& graph_;
  const TensorParallel& parallel_;
  std::vector<int> axes_;                                   // by tensor
  std::vector<graph::Item> made_;                           // of the region at work
  std::map<std::pair<uint32_t, int>, uint32_t> converted_;  // in it: (tensor, axis)
  std::unordered_set<uint32_t> entered_;    // inputs whose gather or sum some product brings
  std::unordered_set<uint32_t> filled_up_;  // shares of a vocabulary that does not divide
  std::optional<Undivided> failed_;
};

}  // namespace

std::optional<Undivided> divide(graph::Graph& graph, const TensorParallel& parallel) {
  return Divider(graph, parallel).run();
}

bool says_shard(const graph::Graph& graph) {
  return std::any_of(graph.parameters.begin(), graph.parameters.end(), [](const auto& p) {
    return p.sharding == graph::Sharding::column || p.sharding == graph::Sharding::row ||
           p.sharding == graph::Sharding::vocab;
  });
}

bool has_experts(const graph::Graph& graph) {
  return std::any_of(graph.parameters.begin(), graph.parameters.end(),
                     [](const auto& p) { return p.sharding == graph::Sharding::expert; });
}

}  // namespace dtp::model

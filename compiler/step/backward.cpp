// The backward pass in the order of the framework's engine (torch/csrc/autograd/engine.cpp): of the
// nodes that wait for nothing more, the one made last runs first. Its gradients go when it has run
// and its results are fitted, then what it saved, then its results move on.
#include <algorithm>
#include <optional>
#include <utility>

#include "ops/eager.h"
#include "step/memory_tape.h"

namespace dtp::step {

// A pass inside a pass (a recomputed block) has counts of its own: what an enclosing pass counts
// and holds at a node of both, a weight's, is set aside until the inner one ends.
void MemoryTape::count_dependencies(std::span<const Value> roots, std::vector<SetAside>& aside) {
  tasks_.push_back(++visit_);
  std::vector<GradientNode*> stack;
  auto visit = [&](GradientNode* node) {
    if (node->visit == tasks_.back()) return;
    if (std::find(tasks_.begin(), tasks_.end(), node->visit) != tasks_.end())
      aside.push_back({node, std::move(node->arrived), node->waiting, node->visit});
    node->visit = tasks_.back();
    node->waiting = 0;
    node->arrived.assign(node->outputs, Value());
    stack.push_back(node);
  };
  std::vector<GradientNode*> seen;
  for (const Value& root : roots)
    if (root->node) visit(root->node);
  while (!stack.empty()) {
    GradientNode* node = stack.back();
    stack.pop_back();
    seen.push_back(node);
    for (const GradientEdge& edge : node->edges)
      if (edge.node) visit(edge.node);
  }
  for (GradientNode* node : seen)
    for (const GradientEdge& edge : node->edges)
      if (edge.node) ++edge.node->waiting;
}

// validate_outputs: a gradient is summed to the shape of the tensor it belongs to (over a dimension
// of one as well: sum_to of ATen/ExpandUtils.h), then cast to its type.
void MemoryTape::fit_to_edges(GradientNode& node, std::span<Value> results) {
  for (size_t i = 0; i < node.edges.size(); ++i) {
    const GradientEdge& edge = node.edges[i];
    Value& result = results[i];
    if (!edge.node) result.reset();
    if (!result) continue;
    if (result.shape() != edge.shape) result = allocate(edge.shape, result.type());
    if (result.type() != edge.type) result = ops::eager::like(*this, result, edge.type);
  }
}

// A second gradient of the same tensor. In place only where the first is whole and nobody else's
// (torch/csrc/autograd/input_buffer.cpp, 2.x); in 1.13 old, new and sum are alive together. Added
// or not, the second stays until its step has handed on all that it made.
void MemoryTape::accumulate(Value& into, Value& gradient) {
  if (!into) {
    into = std::move(gradient);
    return;
  }
  bool alone = into->references == 1 && storages_[into->storage].references == 1 && !into->view;
  if (options_.mechanisms.accumulate_in_place && alone && graph::is_dense(into.layout())) return;
  Value sum = allocate(gradient.shape(), gradient.type());
  const graph::Layout* operands[] = {&into.layout(), &gradient.layout()};
  sum->layout = graph::by_element(sum.shape(), operands);
  into = std::move(sum);
}

// AccumulateGrad: the first gradient is taken over where nobody else holds it and it lies as its
// leaf does, or is contiguous where that has gaps; else it is copied so. Later ones are added into
// it (torch/csrc/autograd/functions/accumulate_grad.h, utils/grad_layout_contract.h).
void MemoryTape::keep_gradient(TensorRecord& leaf, Value gradient) {
  // What goes into a recomputed part is a leaf of it too, a view; the pass around takes its
  // gradient.
  GradientsGo go = leaf.view ? GradientsGo::never : options_.gradients_go;
  if (leaf.gradient) {
    if (go == GradientsGo::at_step) take_step(leaf.step);
    return;
  }
  const graph::Layout wanted =
      graph::is_dense(leaf.layout) ? leaf.layout : graph::contiguous(leaf.layout.shape);
  if (gradient->references > 1 || !graph::lie_alike(gradient.layout(), wanted)) {
    gradient = allocate(wanted.shape, gradient.type());
    gradient->layout = wanted;
  }
  if (go == GradientsGo::at_once) return;
  mark(gradient, Category::gradient);
  leaf.gradient = gradient.record();
  ++leaf.gradient->references;
  gradient.reset();
  if (leaf.owner != 0) arrived(leaf);
  if (go != GradientsGo::at_step) return;
  take_step(leaf.step);
  TensorRecord* used = std::exchange(leaf.gradient, nullptr);
  if (--used->references == 0) release(used);
}

void MemoryTape::take_step(int64_t bytes) {
  if (bytes > 0) allocate({{bytes, false}}, graph::DType::uint8);
}

void MemoryTape::give_back(const Gradients& gradients) {
  Mirror mirror(*this);
  for (auto [leaf, iteration] : gradients) {
    mirror.enter(iteration);
    TensorRecord* gradient = std::exchange(leaf->gradient, nullptr);
    if (gradient && --gradient->references == 0) release(gradient);
  }
}

void MemoryTape::run(GradientNode& node, std::vector<Value>& results) {
  std::vector<Value> arrived = std::move(node.arrived);
  node.arrived.clear();
  bool any = std::any_of(arrived.begin(), arrived.end(),
                         [](const Value& v) { return static_cast<bool>(v); });
  if (!any) return;
  if (node.leaf) {
    keep_gradient(*node.leaf, std::move(arrived[0]));
    return;
  }
  ops::BackwardCall call{*this, arrived, node.saved, results};
  node.backward(call);
  fit_to_edges(node, results);
}

void MemoryTape::hand_on(GradientNode& node, std::span<Value> results,
                         std::vector<GradientNode*>& ready) {
  for (size_t i = 0; i < node.edges.size(); ++i) {
    GradientNode* target = node.edges[i].node;
    if (!target) continue;
    if (results[i]) accumulate(target->arrived[node.edges[i].slot], results[i]);
    if (--target->waiting == 0) ready.push_back(target);
  }
}

void MemoryTape::backward(std::span<const Value> roots, std::span<const Value> gradients) {
  bool was_recording = std::exchange(recording_, false);
  uint32_t label = label_, iteration = iteration_;
  std::vector<SetAside> aside;
  count_dependencies(roots, aside);
  std::vector<GradientNode*> ready;
  for (size_t i = 0; i < roots.size(); ++i) {
    GradientNode* node = roots[i]->node;
    if (!node) continue;
    Value gradient = gradients[i];
    accumulate(node->arrived[roots[i]->slot], gradient);
    if (node->waiting == 0 && std::find(ready.begin(), ready.end(), node) == ready.end())
      ready.push_back(node);
  }
  // Of a recomputed repeat the backward steps are iterations of their own: its forward steps stand
  // in the same part of the trace.
  std::optional<Mirror> mirror;
  if (tasks_.size() > 1) mirror.emplace(*this);
  std::vector<Value> results;
  while (!ready.empty()) {
    auto latest = std::max_element(ready.begin(), ready.end(),
                                   [](auto* a, auto* b) { return a->sequence < b->sequence; });
    GradientNode* node = *latest;
    ready.erase(latest);
    label_ = node->label + 1;
    if (mirror)
      mirror->enter(node->iteration);
    else
      iteration_ = node->iteration;
    if (!node->leaf) reach(*node);
    results.assign(node->edges.size(), Value());
    run(*node, results);
    node->saved.clear();
    hand_on(*node, results, ready);
    results.clear();
  }
  for (SetAside& state : aside) {
    state.node->arrived = std::move(state.arrived);
    state.node->waiting = state.waiting;
    state.node->visit = state.visit;
  }
  tasks_.pop_back();
  label_ = label;
  iteration_ = iteration;
  recording_ = was_recording;
}

}  // namespace dtp::step

#include "step/walker.h"

#include <algorithm>

#include "ops/operation.h"

namespace dtp::step {

Walker::Walker(const graph::Graph& graph, const PassOptions& options, int64_t iterations)
    : graph_(graph),
      iterations_(iterations),
      uses_(count_uses(graph, options.mechanisms.calls_keep_arguments)),
      tape_(*this, options),
      frame_(graph.tensors.size()),
      remaining_(graph.tensors.size()),
      copy_of_(graph.scopes.size()),
      leaves_(graph.parameters.size()) {
  if (!options.gathering.wrap.empty()) gatherer_.emplace(graph, tape_, label_of_loss() + 2);
  if (options.steps.empty()) return;
  size_t trained = 0;
  for (const graph::Parameter& p : graph.parameters)
    steps_.push_back(p.trainable ? options.steps[trained++] : 0);
}

uint32_t Walker::label_of_repeat(uint32_t index) const {
  return 2 * (static_cast<uint32_t>(graph_.nodes.size()) + index);
}
uint32_t Walker::label_of_loss() const {
  return 2 * static_cast<uint32_t>(graph_.nodes.size() + graph_.repeats.size());
}

std::vector<Label> Walker::labels() const {
  std::vector<Label> labels;
  auto add = [&](std::string_view name, graph::PathId path) {
    labels.push_back({name, path, false});
    labels.push_back({name, path, true});
  };
  for (const graph::Node& n : graph_.nodes) add(n.operation->name, n.path);
  for (const graph::Repeat& r : graph_.repeats) add("recompute", r.path);
  add("loss", {});
  if (gatherer_) gatherer_->add_labels(labels);
  return labels;
}

// The part of the model that a step belongs to.
graph::PathId Walker::part_of(uint32_t label) const {
  size_t index = label / 2;
  if (index < graph_.nodes.size()) return graph_.nodes[index].path;
  index -= graph_.nodes.size();
  return index < graph_.repeats.size() ? graph_.repeats[index].path : graph::PathId{};
}

// A value leaves the frame at its last use.
Value Walker::take(uint32_t tensor) {
  if (--remaining_[tensor] == 0) return std::move(frame_[tensor]);
  return frame_[tensor];
}

void Walker::give(uint32_t tensor, Value value) {
  if (remaining_[tensor] > 0) frame_[tensor] = std::move(value);
}

Value Walker::parameter(graph::ParameterId id) {
  const graph::Parameter& p = graph_[id];
  uint64_t copy = copy_of_[p.scope.value];
  for (const Leaf& leaf : leaves_[id.value])
    if (leaf.copy == copy) return leaf.value;
  graph::DType real =
      p.stored.value_or(p.frozen || p.kept ? tape_.options().frozen : tape_.real_type());
  graph::DType type = p.element == graph::Element::real ? real : graph::DType::int64;
  Value value = tape_.external(p.shape, type, true, p.trainable);
  if (p.trainable && tape_.options().gradients_exist) {
    Value gradient = tape_.external(p.shape, type, false, false);
    value->gradient = gradient.record();
    ++value->gradient->references;
  }
  if (p.trainable && gatherer_) value->owner = gatherer_->owner(id);
  if (!steps_.empty()) value->step = steps_[id.value];
  leaves_[id.value].push_back({copy, value});
  return value;
}

void Walker::begin_region(graph::RegionId region) {
  for (const RegionUses::Use& use : uses_[region.value].uses) remaining_[use.tensor] = use.times;
}

void Walker::walk_items(graph::RegionId region) {
  for (graph::Item item : graph_.regions[region.value].items) {
    switch (item.kind) {
      case graph::ItemKind::node: {
        const graph::Node& node = graph_.nodes[item.index];
        tape_.set_label(2 * item.index);
        if (gatherer_) gatherer_->forward(node.path);
        node.operation->run(tape_, graph_, node);
        break;
      }
      case graph::ItemKind::repeat: walk_repeat(item.index); break;
      case graph::ItemKind::no_gradient: {
        bool was = tape_.recording();
        tape_.set_recording(false);
        walk_items(graph_.no_gradients[item.index].body);
        tape_.set_recording(was);
        break;
      }
      case graph::ItemKind::keep_alive: {
        const graph::KeepAlive& keep = graph_.keep_alives[item.index];
        if (keep.depth > tape_.mechanisms().calls_keep_arguments) break;
        for (uint32_t id : graph_.list(keep.tensors)) take(id);
        break;
      }
    }
  }
}

// Parameters are copied by the scopes they were made in, not by the repeats around a call: a part
// that repeats inside has one copy an iteration of its own, wherever it is called.
void Walker::enter_iteration(const graph::Repeat& repeat, uint32_t execution, uint32_t index,
                             uint32_t walked) {
  Trace& trace = tape_.trace();
  uint64_t outer = copy_of_[graph_.scopes[repeat.scope.value].parent.value];
  uint64_t copy = outer * (uint64_t{walked} + 1) + index + 1;
  trace.nest.push_back({tape_.iteration(), execution, index, repeat.scope, copy});
  auto id = static_cast<uint32_t>(trace.nest.size() - 1);
  copy_of_[repeat.scope.value] = copy;
  tape_.set_iteration(id);
}

void Walker::return_to(uint32_t iteration) {
  const Trace& trace = tape_.trace();
  tape_.set_iteration(iteration);
  for (uint32_t i = iteration; i != 0; i = trace.nest[i].parent)
    copy_of_[trace.nest[i].scope.value] = trace.nest[i].copy;
}

void Walker::walk_repeat(uint32_t index) {
  const graph::Repeat& repeat = graph_.repeats[index];
  const RegionUses& uses = uses_[repeat.body.value];
  std::vector<Value> carried;
  carried.reserve(repeat.carried.size());
  for (const graph::Carried& c : repeat.carried) carried.push_back(take(c.outer_in.value));
  std::vector<Value> captured;
  captured.reserve(uses.captured.size());
  for (uint32_t id : uses.captured) captured.push_back(frame_[id]);

  auto walked = static_cast<uint32_t>(std::min(repeat.count, iterations_));
  uint32_t outside = tape_.iteration();
  auto execution = static_cast<uint32_t>(tape_.trace().executions.size());
  tape_.trace().executions.push_back({repeat.count, walked});
  bool checkpointed = repeat.checkpointed && tape_.options().recompute && tape_.recording();
  for (uint32_t i = 0; i < walked; ++i) {
    enter_iteration(repeat, execution, i, walked);
    carried = checkpointed ? walk_checkpointed(index, std::move(carried), captured)
                           : walk_body(repeat, std::move(carried), captured);
    return_to(outside);
  }
  captured.clear();
  for (uint32_t id : uses.captured) take(id);
  for (size_t i = 0; i < carried.size(); ++i)
    give(repeat.carried[i].outer_out.value, std::move(carried[i]));
}

std::vector<Value> Walker::walk_body(const graph::Repeat& repeat, std::vector<Value> carried,
                                     const std::vector<Value>& captured) {
  const RegionUses& uses = uses_[repeat.body.value];
  std::vector<std::pair<Value, uint32_t>> outside;
  outside.reserve(uses.captured.size());
  for (uint32_t id : uses.captured) outside.emplace_back(std::move(frame_[id]), remaining_[id]);
  begin_region(repeat.body);
  for (size_t i = 0; i < captured.size(); ++i) frame_[uses.captured[i]] = captured[i];
  for (size_t i = 0; i < carried.size(); ++i)
    give(repeat.carried[i].inner_in.value, std::move(carried[i]));
  carried.clear();
  walk_items(repeat.body);
  std::vector<Value> results;
  results.reserve(repeat.carried.size());
  for (const graph::Carried& c : repeat.carried) results.push_back(take(c.inner_out.value));
  for (size_t i = 0; i < outside.size(); ++i) {
    frame_[uses.captured[i]] = std::move(outside[i].first);
    remaining_[uses.captured[i]] = outside[i].second;
  }
  return results;
}

bool Walker::trains(graph::RegionId region) const {
  auto trained = [this](uint32_t id) { return graph_.parameters[id].trainable; };
  return std::ranges::any_of(graph_.regions[region.value].items, [&](graph::Item item) {
    if (item.kind == graph::ItemKind::repeat) return trains(graph_.repeats[item.index].body);
    return item.kind == graph::ItemKind::node &&
           std::ranges::any_of(graph_.list(graph_.nodes[item.index].parameters), trained);
  });
}

Value Walker::random_state() {
  int64_t bytes = tape_.mechanisms().random_state_bytes;
  return bytes > 0 ? tape_.allocate({{bytes, false}}, graph::DType::uint8) : Value();
}

// torch.utils.checkpoint with re-entrance: the forward pass runs without gradients and keeps its
// inputs; the backward step runs it again and starts a backward pass of its own.
std::vector<Value> Walker::walk_checkpointed(uint32_t index, std::vector<Value> carried,
                                             const std::vector<Value>& captured) {
  const graph::Repeat& repeat = graph_.repeats[index];
  tape_.set_label(label_of_repeat(index));
  Value state = random_state();
  std::vector<Value> inputs = carried;
  inputs.insert(inputs.end(), captured.begin(), captured.end());
  Remembered remembered{index, tape_.iteration(), carried.size(), {}, tape_.autocast()};
  std::vector<Value> saved, body_inputs;
  for (const Value& v : inputs) {
    remembered.needs_gradient.push_back(v.requires_grad());
    saved.push_back(tape_.alias(v, v.layout()));
  }
  for (const Value& v : carried) body_inputs.push_back(tape_.alias(v, v.layout()));
  carried.clear();
  // Where only what is inside is trained, something without elements brings the backward pass here;
  // trainers make the embedding's result need a gradient (transformers,
  // enable_input_require_grads).
  if (std::ranges::none_of(inputs, [](const Value& v) { return v.requires_grad(); }) &&
      trains(repeat.body))
    inputs.push_back(tape_.external({{0, false}}, graph::DType::fp32, true, true));

  bool cache = tape_.cast_cache();
  tape_.set_recording(false);
  if (!tape_.mechanisms().checkpoint_keeps_casts) tape_.set_cast_cache(false);
  std::vector<Value> results = walk_body(repeat, std::move(body_inputs), captured);
  tape_.set_recording(true);
  tape_.set_cast_cache(cache);

  tape_.set_label(label_of_repeat(index));
  tape_.record(results, inputs, std::move(saved),
               [this, remembered](ops::BackwardCall& call) { recompute(remembered, call); });
  if (state && !results.empty() && results[0]->node)
    MemoryTape::keep_with_node(results[0], std::move(state));
  return results;
}

void Walker::recompute(const Remembered& remembered, ops::BackwardCall& call) {
  std::vector<Value> leaves;
  leaves.reserve(call.saved.size());
  for (size_t i = 0; i < call.saved.size(); ++i)
    leaves.push_back(tape_.leaf_alias(call.saved[i], remembered.needs_gradient[i]));
  auto split = leaves.begin() + static_cast<ptrdiff_t>(remembered.carried);
  std::vector<Value> carried(leaves.begin(), split), captured(split, leaves.end());

  uint32_t label = tape_.label(), iteration = tape_.iteration();
  bool autocast = tape_.autocast(), recording = tape_.recording();
  Value state = random_state();
  auto casts = tape_.exchange_cast_cache({});
  tape_.set_autocast(remembered.autocast);
  tape_.set_recording(true);
  return_to(remembered.iteration);
  std::vector<Value> results =
      walk_body(graph_.repeats[remembered.repeat], std::move(carried), captured);
  tape_.clear_cast_cache();
  tape_.exchange_cast_cache(std::move(casts));
  tape_.set_autocast(autocast);
  state.reset();
  captured.clear();
  tape_.backward(results, call.gradients);
  results.clear();
  tape_.set_recording(recording);
  tape_.set_label(label);
  tape_.set_iteration(iteration);
  for (size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i]->gradient) call.results[i] = Value(leaves[i]->gradient);
}

Walker::Ends Walker::run() {
  Ends ends{};
  tape_.set_autocast(tape_.options().autocast);
  if (gatherer_) gatherer_->begin();
  begin_region({0});
  for (graph::TensorId id : graph_.inputs) {
    const graph::Tensor& t = graph_[id];
    graph::DType type = t.element == graph::Element::real      ? tape_.real_type()
                        : t.element == graph::Element::integer ? graph::DType::int64
                                                               : graph::DType::boolean;
    give(id.value, tape_.external(tape_.shape(t.shape), type, false, false));
  }
  walk_items({0});
  Value loss = graph_.output.valid() ? take(graph_.output.value) : Value();
  tape_.set_autocast(false);
  tape_.clear_cast_cache();
  if (gatherer_) gatherer_->end_forward();
  ends.forward = tape_.trace().size();
  if (loss && loss->node) {
    tape_.mark(loss, Category::loss);
    tape_.set_label(label_of_loss());
    Value one = tape_.allocate(loss.shape(), loss.type());
    tape_.backward({&loss, 1}, {&one, 1});
  }
  if (gatherer_) gatherer_->end_backward();
  ends.backward = tape_.trace().size();
  loss.reset();
  ends.release = tape_.trace().size();
  return ends;
}

}  // namespace dtp::step

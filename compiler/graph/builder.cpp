#include "graph/builder.h"

#include <utility>

namespace dtp::graph {

Builder::Builder() {
  graph_.paths.emplace_back();
  graph_.scopes.push_back({});
  graph_.regions.emplace_back();
  stack_.push_back({0});
  open_.push_back(true);
  no_gradient_.push_back(false);
}

PathId Builder::path_of(std::string_view name) {
  if (name.empty()) return path_;
  const std::string& here = graph_.paths[path_.value];
  std::string full = here.empty() ? std::string(name) : here + "." + std::string(name);
  graph_.paths.push_back(std::move(full));
  return {static_cast<uint32_t>(graph_.paths.size() - 1)};
}

void Builder::push_path(std::string_view name) {
  path_stack_.push_back(path_);
  path_ = path_of(name);
}

void Builder::pop_path() {
  path_ = path_stack_.back();
  path_stack_.pop_back();
}

void Builder::enter(Place place) {
  place_stack_.push_back(this->place());
  scope_ = place.scope;
  path_ = place.path;
}

void Builder::leave() {
  scope_ = place_stack_.back().scope;
  path_ = place_stack_.back().path;
  place_stack_.pop_back();
}

TensorId Builder::add_tensor(Tensor tensor) {
  graph_.tensors.push_back(std::move(tensor));
  region_of_.push_back(stack_.back().value);
  // What a no-gradient region makes belongs to the region around it.
  for (size_t i = stack_.size(); i-- > 0;) {
    region_of_.back() = stack_[i].value;
    if (!no_gradient_[stack_[i].value]) break;
  }
  return {static_cast<uint32_t>(graph_.tensors.size() - 1)};
}

TensorId Builder::input(std::string name, const Shape& shape, Element element, Span span,
                        std::optional<DType> stored) {
  Tensor tensor{shape, element, path_, "input", std::move(name), span, stored};
  TensorId id = add_tensor(std::move(tensor));
  graph_.inputs.push_back(id);
  return id;
}

ParameterId Builder::parameter(std::string key, const Shape& shape, bool trainable, bool buffer,
                               Span span, ScopeId scope, bool saved, Element element) {
  Int128 count = graph_.scopes[scope.value].count;
  trainable = trainable && frozen_depth_ == 0;
  graph_.parameters.push_back(
      {std::move(key), shape, element, trainable, buffer, saved, count, scope, span});
  graph_.parameters.back().frozen = frozen_depth_ > 0;
  return {static_cast<uint32_t>(graph_.parameters.size() - 1)};
}

ParameterId Builder::shared_buffer(const std::string& key, const Shape& shape, Span span) {
  auto [place, fresh] = shared_.try_emplace(key);
  if (fresh) place->second = parameter(key, shape, false, true, span, {}, false);
  return place->second;
}

Operands Builder::store(std::span<const TensorId> ids) {
  Operands run{static_cast<uint32_t>(graph_.operands.size()), static_cast<uint32_t>(ids.size())};
  for (TensorId id : ids) graph_.operands.push_back(id.value);
  return run;
}

RegionId Builder::open_region() {
  graph_.regions.emplace_back();
  open_.push_back(true);
  no_gradient_.push_back(false);
  RegionId id{static_cast<uint32_t>(graph_.regions.size() - 1)};
  stack_.push_back(id);
  return id;
}

void Builder::close_region() {
  open_[stack_.back().value] = false;
  stack_.pop_back();
}

std::vector<TensorId> Builder::begin_repeat(int64_t count, std::string_view name, bool checkpointed,
                                            Span span, std::span<const TensorId> carried,
                                            const Place* again) {
  size_t depth = 0;
  for (ScopeId s = scope_; s.value != 0; s = graph_.scopes[s.value].parent) ++depth;
  std::string counter = std::string("{") + static_cast<char>('i' + depth % 16) + "}";
  std::string path = name.empty() ? counter : std::string(name) + "." + counter;
  return open_repeat({count, {}, {}, checkpointed, std::string(name), {}, {}, span}, path, carried,
                     again);
}

std::vector<TensorId> Builder::begin_segment(std::string_view key, Span span,
                                             std::span<const TensorId> carried,
                                             const Place* again) {
  return open_repeat({1, {}, {}, true, std::string(key), {}, {}, span}, key, carried, again);
}

std::vector<TensorId> Builder::open_repeat(Repeat repeat, std::string_view path,
                                           std::span<const TensorId> carried, const Place* again) {
  auto index = static_cast<uint32_t>(graph_.repeats.size());
  region().items.push_back({ItemKind::repeat, index});
  if (again) {
    path_stack_.push_back(path_);
    path_ = again->path;
    scope_ = again->scope;
  } else {
    open_scope(repeat.count, index, path);
  }
  repeat.path = path_;
  repeat.scope = scope_;
  repeat.body = open_region();
  std::vector<TensorId> inner;
  for (TensorId id : carried) {
    Tensor tensor = graph_.tensors[id.value];
    inner.push_back(add_tensor(std::move(tensor)));
    repeat.carried.push_back({id, inner.back(), {}, {}});
  }
  graph_.repeats.push_back(std::move(repeat));
  repeat_stack_.push_back(index);
  return inner;
}

// One iteration of a repeat: its parameters exist `count` times.
void Builder::open_scope(int64_t count, uint32_t repeat, std::string_view path) {
  push_path(path);
  ScopeId outer = scope_;
  auto copies = checked_multiply(graph_.scopes[outer.value].count, count);
  // More copies than 2^120 of anything: the sums over parameters saturate in the same way.
  graph_.scopes.push_back({outer, repeat, copies ? *copies : Int128{1} << 120, path_});
  scope_ = {static_cast<uint32_t>(graph_.scopes.size() - 1)};
}

std::vector<TensorId> Builder::end_repeat(std::span<const TensorId> results) {
  uint32_t index = repeat_stack_.back();
  repeat_stack_.pop_back();
  scope_ = graph_.scopes[scope_.value].parent;
  pop_path();
  close_region();
  std::vector<TensorId> outer;
  for (size_t i = 0; i < results.size(); ++i) {
    Tensor tensor = graph_.tensors[results[i].value];
    outer.push_back(add_tensor(std::move(tensor)));
    Carried& carried = graph_.repeats[index].carried[i];
    carried.inner_out = results[i];
    carried.outer_out = outer.back();
  }
  return outer;
}

void Builder::begin_no_gradient(Span span) {
  auto index = static_cast<uint32_t>(graph_.no_gradients.size());
  region().items.push_back({ItemKind::no_gradient, index});
  RegionId body = open_region();
  graph_.no_gradients.push_back({body, span});
  no_gradient_[body.value] = true;
}

void Builder::end_no_gradient() { close_region(); }

void Builder::end_call(std::span<const TensorId> arguments) {
  int depth = call_depth_--;
  if (arguments.empty()) return;
  region().items.push_back(
      {ItemKind::keep_alive, static_cast<uint32_t>(graph_.keep_alives.size())});
  graph_.keep_alives.push_back({store(arguments), depth});
}

std::vector<TensorId> Builder::add(const ops::Operation& operation, std::string_view made_by,
                                   std::span<const TensorId> inputs,
                                   std::span<const ParameterId> parameters,
                                   const Attributes& attributes, std::span<const Tensor> outputs,
                                   PathId path, Span span) {
  Node node;
  node.operation = &operation;
  node.inputs = store(inputs);
  node.parameters = {static_cast<uint32_t>(graph_.operands.size()),
                     static_cast<uint32_t>(parameters.size())};
  for (ParameterId id : parameters) graph_.operands.push_back(id.value);
  std::vector<TensorId> made;
  for (const Tensor& t : outputs) {
    Tensor tensor = t;
    tensor.path = path;
    tensor.made_by = made_by;
    if (!tensor.origin.valid()) tensor.origin = span;
    made.push_back(add_tensor(std::move(tensor)));
  }
  node.outputs = store(made);
  node.attributes = attributes;
  node.path = path;
  node.span = span;
  region().items.push_back({ItemKind::node, static_cast<uint32_t>(graph_.nodes.size())});
  graph_.nodes.push_back(node);
  return made;
}

std::vector<TensorId> Builder::inputs_behind(TensorId tensor) const {
  std::vector<std::vector<uint32_t>> made_of(graph_.tensors.size());
  for (const Node& n : graph_.nodes)
    for (uint32_t out : graph_.list(n.outputs))
      for (uint32_t in : graph_.list(n.inputs)) made_of[out].push_back(in);
  for (const Repeat& r : graph_.repeats)
    for (const Carried& c : r.carried) {
      made_of[c.inner_in.value].push_back(c.outer_in.value);
      if (c.outer_out.valid()) made_of[c.outer_out.value].push_back(c.inner_out.value);
    }
  std::vector<bool> seen(graph_.tensors.size());
  std::vector<uint32_t> waiting{tensor.value};
  while (!waiting.empty()) {
    uint32_t at = waiting.back();
    waiting.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    waiting.insert(waiting.end(), made_of[at].begin(), made_of[at].end());
  }
  std::vector<TensorId> inputs;
  for (TensorId id : graph_.inputs)
    if (seen[id.value]) inputs.push_back(id);
  return inputs;
}

Graph Builder::take() { return std::exchange(graph_, Graph{}); }

}  // namespace dtp::graph

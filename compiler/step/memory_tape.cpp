#include "step/memory_tape.h"

#include <algorithm>

#include "ops/eager.h"

namespace dtp::step {

MemoryTape::MemoryTape(const PassOptions& options)
    : options_(options), cast_cache_(options.cast_cache) {}

MemoryTape::~MemoryTape() { clear_cast_cache(); }

graph::Shape MemoryTape::shape(const graph::Shape& shape) const {
  return options_.single_sample ? graph::with_single_sample(shape) : shape;
}

TensorRecord* MemoryTape::new_record() {
  if (free_records_.empty()) {
    records_.emplace_back();
    records_.back().tape = this;
    return &records_.back();
  }
  TensorRecord* record = free_records_.back();
  free_records_.pop_back();
  return record;
}

Value MemoryTape::allocate(const graph::Shape& shape, graph::DType type) {
  graph::Monomial elements = shape.elements();
  uint32_t storage;
  if (free_storages_.empty()) {
    storage = static_cast<uint32_t>(storages_.size());
    storages_.emplace_back();
  } else {
    storage = free_storages_.back();
    free_storages_.pop_back();
  }
  // Element counts are at most 2^56 (the builder sees to it), times 8 bytes.
  auto bytes = static_cast<int64_t>(elements.value) * graph::size_of(type);
  auto power = static_cast<uint8_t>(elements.power);
  storages_[storage] = {bytes, 1, trace_.size(), power, false};
  trace_.events.push_back({bytes, label_, power, Category::temporary, true});
  trace_.iterations.push_back(iteration_);

  TensorRecord* record = new_record();
  record->layout = graph::contiguous(shape);
  record->type = type;
  record->storage = storage;
  return Value(record);
}

Value MemoryTape::external(const graph::Shape& shape, graph::DType type, bool leaf,
                           bool requires_grad) {
  auto storage = static_cast<uint32_t>(storages_.size());
  storages_.push_back({0, 1, 0, 0, true});
  TensorRecord* record = new_record();
  record->layout = graph::contiguous(shape);
  record->type = type;
  record->storage = storage;
  record->leaf = leaf;
  record->requires_grad = requires_grad;
  return Value(record);
}

Value MemoryTape::alias(const Value& base, const graph::Layout& layout) {
  ++storages_[base->storage].references;
  TensorRecord* record = new_record();
  record->layout = layout;
  record->type = base->type;
  record->storage = base->storage;
  record->view = true;
  return Value(record);
}

Value MemoryTape::leaf_alias(const Value& base, bool requires_grad) {
  Value value = alias(base, base.layout());
  value->leaf = true;
  value->requires_grad = requires_grad;
  return value;
}

void MemoryTape::let_go(uint32_t storage) {
  Storage& s = storages_[storage];
  if (--s.references > 0) return;
  if (!s.external) {
    Event event = trace_.events[s.event];
    event.taken = false;
    trace_.events.push_back(event);
    trace_.iterations.push_back(iteration_);
  }
  free_storages_.push_back(storage);
}

void MemoryTape::release(TensorRecord* record) {
  TensorRecord old = *record;
  record->requires_grad = record->leaf = record->view = false;
  record->slot = record->owner = 0;
  record->step = 0;
  record->node = nullptr;
  record->gradient = nullptr;
  free_records_.push_back(record);
  let_go(old.storage);
  if (old.node && !old.leaf) let_go(old.node);
  if (old.gradient && --old.gradient->references == 0) release(old.gradient);
}

// Chains of nodes are as long as the network is deep, so they go one after another, not one inside
// another.
void MemoryTape::let_go(GradientNode* node) {
  if (--node->references > 0) return;
  dying_.push_back(node);
  if (burying_) return;
  burying_ = true;
  Mirror mirror(*this);
  while (!dying_.empty()) {
    GradientNode* next = dying_.back();
    dying_.pop_back();
    mirror.enter(next->iteration);
    for (GradientEdge& edge : next->edges)
      if (edge.node) let_go(edge.node);
    if (next->leaf) next->leaf->node = nullptr;
    delete next;
  }
  burying_ = false;
}

uint32_t MemoryTape::Mirror::image(uint32_t iteration) {
  Trace& trace = tape_.trace_;
  bool inside = false;
  for (uint32_t i = iteration; i != 0 && !inside; i = trace.nest[i].parent)
    inside = trace.nest[i].parent == base_;
  if (iteration == base_ || !inside) return base_;
  for (auto [original, twin] : iterations_)
    if (original == iteration) return twin;
  Iteration twin = trace.nest[iteration];
  twin.parent = image(twin.parent);
  auto same = [&](const auto& e) { return e.first == twin.execution; };
  auto found = std::find_if(executions_.begin(), executions_.end(), same);
  if (found == executions_.end()) {
    executions_.emplace_back(twin.execution, static_cast<uint32_t>(trace.executions.size()));
    trace.executions.push_back(trace.executions[twin.execution]);
    found = executions_.end() - 1;
  }
  twin.execution = found->second;
  trace.nest.push_back(twin);
  iterations_.emplace_back(iteration, static_cast<uint32_t>(trace.nest.size() - 1));
  return iterations_.back().second;
}

void MemoryTape::clear_cast_cache() {
  Mirror mirror(*this);
  for (CastCopy& c : cast_copies_) {
    mirror.enter(c.iteration);
    c.copy.reset();
  }
  cast_copies_.clear();
}

void MemoryTape::mark(const Value& value, Category category) {
  const Storage& s = storages_[value->storage];
  if (!s.external) trace_.events[s.event].category = category;
}

// The step that keeps a leaf's gradient runs as soon as the last part of it has come.
GradientNode* MemoryTape::accumulator_of(const Value& leaf) const {
  auto* node = new GradientNode;
  node->sequence = ~uint64_t{0};
  node->iteration = iteration_;
  node->label = label_;
  node->leaf = leaf.record();
  node->kept.push_back(leaf);
  leaf->node = node;
  return node;
}

GradientEdge MemoryTape::edge_of(const Value& input) {
  GradientEdge edge;
  if (!input.requires_grad()) return edge;
  edge.shape = input.shape();
  edge.type = input.type();
  edge.slot = input->slot;
  edge.node = input->node ? input->node : accumulator_of(input);
  retain(edge.node);
  return edge;
}

void MemoryTape::record(std::span<Value> outputs, std::span<const Value> inputs,
                        std::vector<Value> saved, ops::Backward backward) {
  bool needed = std::any_of(inputs.begin(), inputs.end(),
                            [](const Value& v) { return v && v.requires_grad(); });
  if (!recording_ || !needed) return;
  auto* node = new GradientNode;
  node->backward = std::move(backward);
  node->saved = std::move(saved);
  node->sequence = sequence_++;
  node->outputs = static_cast<uint32_t>(outputs.size());
  node->iteration = iteration_;
  node->label = label_;
  node->edges.reserve(inputs.size());
  for (const Value& input : inputs) node->edges.push_back(input ? edge_of(input) : GradientEdge{});
  for (const Value& value : node->saved)
    if (value) mark(value, Category::activation);
  for (uint32_t i = 0; i < node->outputs; ++i) {
    TensorRecord* out = outputs[i].record();
    out->requires_grad = true;
    out->node = node;
    out->slot = i;
    retain(node);
  }
}

void MemoryTape::keep_with_node(const Value& value, Value kept) {
  value->node->kept.push_back(std::move(kept));
}

Value MemoryTape::cast(const Value& value, graph::DType type, bool cached) {
  if (value.type() == type) return value;
  bool share = cached && cast_cache_ && value->leaf && value->requires_grad;
  if (share)
    for (const CastCopy& c : cast_copies_)
      if (c.original == value.record()) return c.copy;
  Value copy = ops::eager::like(*this, value, type);
  ops::Tape::record(copy, {value}, {}, [from = value.type()](ops::BackwardCall& call) {
    call.results[0] = ops::eager::like(call.tape, call.gradients[0], from);
  });
  if (share) cast_copies_.push_back({value.record(), copy, iteration_});
  return copy;
}

}  // namespace dtp::step

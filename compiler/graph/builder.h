// Makes a Graph in program order: every tensor exists before it is used, and regions nest.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace dtp::graph {

class Builder {
 public:
  Builder();

  // `stored`: the type in which the data brings it; without, the plan's precision decides.
  TensorId input(std::string name, const Shape& shape, Element element, Span span,
                 std::optional<DType> stored = std::nullopt);

  // Opens `name` inside the current path ("blocks.{i}" + "attn"). Close in reverse order.
  void push_path(std::string_view name);
  void pop_path();
  PathId path() const { return path_; }
  // The current path with `name` behind it.
  PathId path_of(std::string_view name);
  const std::string& text(PathId path) const { return graph_.paths[path.value]; }

  // Where a layer made now would keep its parameters.
  ScopeId scope() const { return scope_; }
  // Layers made between these belong where `place` says: a part may be called inside a repeat that
  // it was not made in. Close in reverse order, repeats among them.
  struct Place {
    ScopeId scope;
    PathId path;
  };
  Place place() const { return {scope_, path_}; }
  void enter(Place place);
  void leave();
  // `key` is the whole name in the state dict. The parameter exists once per iteration of the
  // repeats around `scope`.
  ParameterId parameter(std::string key, const Shape& shape, bool trainable, bool buffer, Span span,
                        ScopeId scope, bool saved = true, Element element = Element::real);
  ParameterId parameter(std::string key, const Shape& shape, bool trainable, bool buffer,
                        Span span) {
    return parameter(std::move(key), shape, trainable, buffer, span, scope_);
  }

  // A buffer that no state dict holds, of the whole model: made once for a key.
  ParameterId shared_buffer(const std::string& key, const Shape& shape, Span span);

  // Opens the body of a repeat. Gives, for each carried tensor, the one that the body sees. Also
  // pushes the path
  // "<name>.{i}" ({j}, {k} ... further inside).
  // `again`: the place of an iteration of the same repeat, walked before: its parameters are
  // shared.
  std::vector<TensorId> begin_repeat(int64_t count, std::string_view name, bool checkpointed,
                                     Span span, std::span<const TensorId> carried,
                                     const Place* again = nullptr);
  // The same for one iteration of a loop that is written out, so that it can be recomputed by
  // itself. Its path is `key` below the current one.
  std::vector<TensorId> begin_segment(std::string_view key, Span span,
                                      std::span<const TensorId> carried,
                                      const Place* again = nullptr);
  // `results`: the new values of the carried tensors, in order. Those of a repeat have the shapes
  // they came in with. Gives the tensors that hold after the last iteration. Tensors made in the
  // body are not to be used after it.
  std::vector<TensorId> end_repeat(std::span<const TensorId> results);

  // What is made between these needs no gradient. Its tensors stay usable afterwards.
  void begin_no_gradient(Span span);
  void end_no_gradient();

  // Parameters made between these are not trained. They may nest.
  void begin_frozen() { ++frozen_depth_; }
  void end_frozen() { --frozen_depth_; }

  // A call of a model: call begin before its body is interpreted, end after it, with the tensors
  // handed in. Frameworks differ in whether the caller's own reference keeps them alive until the
  // call returns.
  void begin_call() { ++call_depth_; }
  void end_call(std::span<const TensorId> arguments);

  // Used by operations: appends a node; its outputs are made with the shapes given.
  std::vector<TensorId> add(const ops::Operation& operation, std::string_view made_by,
                            std::span<const TensorId> inputs,
                            std::span<const ParameterId> parameters, const Attributes& attributes,
                            std::span<const Tensor> outputs, PathId path, Span span);

  void set_element(TensorId tensor, Element element) {
    graph_.tensors[tensor.value].element = element;
  }
  // Saved but no parameter of the model: running statistics.
  void set_uncounted(ParameterId id) { graph_.parameters[id.value].counted = false; }
  void set_sharding(ParameterId id, Sharding s) { graph_.parameters[id.value].sharding = s; }
  void set_start(ParameterId id, Start start, double scale) {
    graph_.parameters[id.value].start = start;
    graph_.parameters[id.value].scale = scale;
  }
  void set_output(TensorId tensor) { graph_.output = tensor; }

  const Tensor& operator[](TensorId id) const { return graph_.tensors[id.value]; }
  const Parameter& operator[](ParameterId id) const { return graph_.parameters[id.value]; }
  const Graph& graph() const { return graph_; }
  // The inputs that a tensor was computed from.
  std::vector<TensorId> inputs_behind(TensorId tensor) const;
  // Innermost region being filled: a tensor of a closed repeat is not visible here.
  bool visible(TensorId tensor) const { return open_[region_of_[tensor.value]]; }

  // Keeps an object alive as long as the builder (layers).
  template <class T>
  T* own(std::unique_ptr<T> object) {
    T* raw = object.get();
    owned_.push_back(std::shared_ptr<void>(std::move(object)));
    return raw;
  }

  // All regions are closed. The builder is empty afterwards.
  Graph take();

 private:
  TensorId add_tensor(Tensor tensor);
  Operands store(std::span<const TensorId> ids);
  Region& region() { return graph_.regions[stack_.back().value]; }
  RegionId open_region();
  void open_scope(int64_t count, uint32_t repeat, std::string_view path);
  std::vector<TensorId> open_repeat(Repeat repeat, std::string_view path,
                                    std::span<const TensorId> carried, const Place* again);
  void close_region();

  Graph graph_;
  PathId path_;
  ScopeId scope_;
  int call_depth_ = 0;
  int frozen_depth_ = 0;
  std::vector<RegionId> stack_;
  std::vector<PathId> path_stack_;
  std::vector<Place> place_stack_;
  std::vector<uint32_t> repeat_stack_;
  std::vector<uint32_t> region_of_;  // by tensor
  std::vector<bool> open_;           // by region; a no-gradient region counts as its parent
  std::vector<bool> no_gradient_;    // by region
  std::unordered_map<std::string, ParameterId> shared_;
  std::vector<std::shared_ptr<void>> owned_;
};

}  // namespace dtp::graph

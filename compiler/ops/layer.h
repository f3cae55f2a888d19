// A layer as an author made it: its arguments, where its parameters belong, and what its first call
// fixed.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ops/call.h"

namespace dtp::ops {

class LayerInstance {
 public:
  LayerInstance(const LayerKind& kind, std::vector<Argument> arguments, graph::PathId path,
                graph::ScopeId scope, Span span)
      : kind_(&kind), arguments_(std::move(arguments)), path_(path), scope_(scope), span_(span) {}

  const LayerKind& kind() const { return *kind_; }
  std::span<const Argument> arguments() const { return arguments_; }
  graph::PathId path() const { return path_; }
  Span span() const { return span_; }

  // The layer's arguments and the tensor of this call. What follows is for the layers' own files.
  bool made() const { return made_; }
  int64_t width() const { return width_; }
  const std::vector<graph::ParameterId>& parameters() const { return parameters_; }
  // A parameter named "<path>.<name>".
  graph::ParameterId add_parameter(Builder& builder, std::string_view name, const Shape& shape,
                                   bool trainable = true, bool buffer = false, bool saved = true);
  // What training keeps beside the parameters: saved, never trained, counted as no parameter.
  void add_statistics(Builder& builder, std::string_view name, const Shape& shape,
                      graph::Element element = graph::Element::real);
  // The parameters of a product, as torch.nn starts them: weight and bias uniform within
  // 1/sqrt(fan_in) (reset_parameters of Linear and of the convolutions).
  void add_product(Builder& builder, const Shape& weight, bool bias, std::string_view prefix = "");
  // The parameter that was added last starts with these values.
  void starts(Builder& builder, graph::Start start, double scale = 0);
  // Every parameter so far is shared in this way; `word` is one of graph::Sharding.
  void shard(Builder& builder, std::string_view word);
  // Fixes the width at the first call; a later call of another width is a failure that shows both.
  std::optional<Failure> fix_width(const Call& call, TensorId x, int axis);

 private:
  const LayerKind* kind_;
  std::vector<Argument> arguments_;
  graph::PathId path_;
  graph::ScopeId scope_;
  Span span_;
  bool made_ = false;
  int64_t width_ = 0;
  Span first_call_;
  std::vector<graph::ParameterId> parameters_;
};

}  // namespace dtp::ops

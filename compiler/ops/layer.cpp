#include "ops/layer.h"

#include <cmath>

namespace dtp::ops {

graph::ParameterId LayerInstance::add_parameter(Builder& builder, std::string_view name,
                                                const Shape& shape, bool trainable, bool buffer,
                                                bool saved) {
  std::string key = builder.text(path_);
  if (!name.empty()) key += (key.empty() ? "" : ".") + std::string(name);
  parameters_.push_back(
      builder.parameter(std::move(key), shape, trainable, buffer, span_, scope_, saved));
  made_ = true;
  return parameters_.back();
}

void LayerInstance::add_product(Builder& builder, const Shape& weight, bool bias,
                                std::string_view prefix) {
  double fan_in = static_cast<double>(weight.slice(1, weight.rank()).elements().value);
  double bound = 1 / std::sqrt(fan_in);
  add_parameter(builder, std::string(prefix) + "weight", weight);
  starts(builder, graph::Start::uniform, bound);
  if (!bias) return;
  add_parameter(builder, std::string(prefix) + "bias", {weight[0]});
  starts(builder, graph::Start::uniform, bound);
}

void LayerInstance::starts(Builder& builder, graph::Start start, double scale) {
  builder.set_start(parameters_.back(), start, scale);
}

void LayerInstance::add_statistics(Builder& builder, std::string_view name, const Shape& shape,
                                   graph::Element element) {
  std::string key = builder.text(path_) + "." + std::string(name);
  parameters_.push_back(
      builder.parameter(std::move(key), shape, false, true, span_, scope_, true, element));
  builder.set_uncounted(parameters_.back());
}

void LayerInstance::shard(Builder& builder, std::string_view word) {
  using graph::Sharding;
  for (Sharding s : {Sharding::column, Sharding::row, Sharding::vocab, Sharding::sequence})
    if (graph::spelling(s) == word)
      for (graph::ParameterId id : parameters_) builder.set_sharding(id, s);
}

std::optional<Failure> LayerInstance::fix_width(const Call& call, TensorId x, int axis) {
  const Shape& shape = const_cast<Call&>(call).builder()[x].shape;
  std::string name = std::string(kind_->name);
  if (const_cast<Call&>(call).builder()[x].element != graph::Element::real) {
    Failure failure = call.fail("`" + name + "` works on real numbers", "applied to whole numbers");
    failure.notes.push_back(
        "what whole numbers stand for is looked up by `Embedding(rows, width)`");
    call.explain(failure, x);
    return failure;
  }
  if (axis < 0) axis += shape.rank();
  if (axis < 0 || axis >= shape.rank()) {
    Failure failure =
        call.fail("`" + name + "` wants a tensor with more dimensions than " + to_string(shape),
                  "applied here");
    call.explain(failure, x);
    return failure;
  }
  Dim width = shape[axis];
  if (width.batch) {
    Failure failure = call.fail("the width of `" + name + "` would be the batch",
                                "applied to " + to_string(shape));
    call.explain(failure, x);
    return failure;
  }
  if (!made_) {
    width_ = width.value;
    first_call_ = call.span();
    return std::nullopt;
  }
  if (width.value == width_) return std::nullopt;
  Failure failure = call.fail("`" + name + "` over " + std::to_string(width_) +
                                  " is applied to a width of " + std::to_string(width.value),
                              "applied to " + to_string(shape));
  failure.labels.push_back(
      {first_call_, "its first call fixed the width to " + std::to_string(width_)});
  call.explain(failure, x);
  return failure;
}

}  // namespace dtp::ops

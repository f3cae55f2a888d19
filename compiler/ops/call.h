// A call whose arguments are bound to the formal parameters of its operation or layer.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ops/operation.h"

namespace dtp::ops {

class Call {
 public:
  Call(Builder& builder, std::string_view callee, std::string_view signature,
       std::span<const Formal> formals, Span span, graph::PathId path)
      : builder_(&builder),
        callee_(callee),
        signature_(signature),
        formals_(formals),
        span_(span),
        path_(path) {}

  // Binds positional arguments in order and named ones by name, and checks their kinds.
  std::optional<Failure> bind(std::span<const Argument> arguments);

  Builder& builder() { return *builder_; }
  std::string_view callee() const { return callee_; }
  Span span() const { return span_; }
  graph::PathId path() const { return path_; }

  bool given(size_t i) const { return bound_[i] != nullptr; }
  bool is_tensor(size_t i) const {
    return given(i) && std::holds_alternative<TensorId>(bound_[i]->value);
  }
  TensorId tensor(size_t i) const { return std::get<TensorId>(bound_[i]->value); }
  const graph::Tensor& operand(size_t i) const { return (*builder_)[tensor(i)]; }
  const Shape& shape(size_t i) const { return operand(i).shape; }
  const std::vector<TensorId>& tensors(size_t i) const {
    return std::get<std::vector<TensorId>>(bound_[i]->value);
  }
  double number(size_t i) const;
  int64_t integer(size_t i) const;
  std::vector<int64_t> integers(size_t i) const;
  Dim size(size_t i) const;
  bool flag(size_t i) const;
  std::string_view word(size_t i) const;
  const std::vector<Dim>& dims(size_t i) const {
    return std::get<std::vector<Dim>>(bound_[i]->value);
  }
  Span span_of(size_t i) const { return given(i) ? bound_[i]->span : span_; }
  // An axis from the front, counted from behind when negative.
  std::variant<int, Failure> axis(size_t i, int rank) const;
  // The same for a list of axes; in order.
  std::variant<std::vector<int>, Failure> axes(size_t i, int rank) const;

  // Appends a node. Fails when an output is too large for any machine.
  Result emit(const Operation& operation, std::span<const TensorId> inputs,
              const graph::Attributes& attributes, std::span<const Shape> outputs,
              graph::Element element = graph::Element::real,
              std::span<const graph::ParameterId> parameters = {});
  Result emit(const Operation& operation, std::initializer_list<TensorId> inputs,
              const graph::Attributes& attributes, const Shape& output,
              graph::Element element = graph::Element::real,
              std::initializer_list<graph::ParameterId> parameters = {}) {
    return emit(operation, {inputs.begin(), inputs.size()}, attributes, {&output, 1}, element,
                {parameters.begin(), parameters.size()});
  }

  // A failure whose caret is argument i (the whole call when it was not given).
  Failure fail(std::string headline, size_t i, std::string caret_text) const;
  Failure fail(std::string headline, std::string caret_text) const;
  // What goes past a limit of docs/limits.md.
  Failure too_large(std::string headline, std::string caret_text) const;
  // Adds "this has shape [...]" at the place that tensor got its shape.
  void explain(Failure& failure, TensorId tensor) const;

 private:
  std::optional<Failure> check(const Argument& argument, const Formal& formal) const;

  Builder* builder_;
  std::string_view callee_;
  std::string_view signature_;
  std::span<const Formal> formals_;
  Span span_;
  graph::PathId path_;
  std::vector<const Argument*> bound_;
};

// The shape of a and b combined element by element; sizes of 1 stretch.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
std::variant<Shape, Failure> broadcast(const Call& call, TensorId a, TensorId b);

}  // namespace dtp::ops

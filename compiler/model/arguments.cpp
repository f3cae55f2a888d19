#include "model/arguments.h"

namespace dtp::model {

using eval::EvaluatedArgument;
using eval::Evaluator;
using eval::Value;
using eval::ValueKind;

Value tensor_value(Evaluator& evaluator, graph::TensorId id, const graph::Builder& builder) {
  Value v = eval::make_simple(ValueKind::tensor);
  v.tensor = evaluator.make<eval::TensorValue>(eval::TensorValue{id.value, &builder});
  return v;
}

std::optional<graph::Dim> to_dim(const Value& value) {
  if (value.is(ValueKind::dim)) return graph::Dim{value.dim, true};
  if (!value.is(ValueKind::number) || !value.number->whole() || !value.number->dimension.is_none())
    return std::nullopt;
  if (value.number->numerator < -graph::kMostElements ||
      value.number->numerator > graph::kMostElements)
    return std::nullopt;
  return graph::Dim{static_cast<int64_t>(value.number->numerator), false};
}

Value dim_value(Evaluator& evaluator, graph::Dim dim) {
  if (!dim.batch) return evaluator.make_int(dim.value);
  Value v = eval::make_simple(ValueKind::dim);
  v.dim = dim.value;
  return v;
}

namespace {

bool is_layer(const Value& v) {
  if (v.is(ValueKind::native)) return v.native->takes_key();
  const eval::Shape* shape = v.is(ValueKind::shape)    ? v.shape
                             : v.is(ValueKind::record) ? v.record->shape
                                                       : nullptr;
  return shape && shape->kind == eval::ShapeKind::model;
}

}  // namespace

std::optional<ops::Argument> to_argument(Evaluator& evaluator, const EvaluatedArgument& a) {
  ops::Argument out;
  out.name = evaluator.text(a.name);
  out.span = a.span;
  out.name_span = a.name_span;
  const Value& v = a.value;
  auto bad = [&](std::string_view why) {
    if (!v.poisoned())
      evaluator.error(Kind::WrongOperands, a.span, format("{} {}", evaluator.describe(v), why));
    return std::nullopt;
  };
  switch (v.kind) {
    case ValueKind::none: out.value = std::monostate(); return out;
    case ValueKind::tensor: out.value = graph::TensorId{v.tensor->id}; return out;
    case ValueKind::boolean:
      if (v.verdict == Verdict::undecided) return bad("is not known exactly");
      out.value = v.truthy();
      return out;
    case ValueKind::string: out.value = std::string(v.string()); return out;
    case ValueKind::number:
      if (!v.number->is_point()) return bad("is an estimate, and a model's sizes are exact");
      if (!v.number->dimension.is_none())
        return bad("has a dimension, and a model's sizes are plain numbers");
      if (v.number->whole() && v.number->numerator <= INT64_MAX && v.number->numerator >= INT64_MIN)
        out.value = static_cast<int64_t>(v.number->numerator);
      else
        out.value = v.number->interval.likely;
      return out;
    case ValueKind::list: {
      std::vector<graph::TensorId> tensors;
      std::vector<graph::Dim> dims;
      for (const Value& item : v.items()) {
        if (item.is(ValueKind::tensor))
          tensors.push_back({item.tensor->id});
        else if (auto dim = to_dim(item))
          dims.push_back(*dim);
        else
          return bad("holds neither tensors nor whole sizes");
      }
      if (!tensors.empty() && !dims.empty()) return bad("mixes tensors and sizes");
      if (!tensors.empty())
        out.value = std::move(tensors);
      else
        out.value = std::move(dims);
      return out;
    }
    case ValueKind::dim: out.value = std::vector<graph::Dim>{{v.dim, true}}; return out;
    case ValueKind::native:
    case ValueKind::record:
    case ValueKind::shape:
      if (a.expr && is_layer(v)) {
        evaluator.sink().add(evaluator
                                 .diagnose(Kind::WrongOperands, a.span,
                                           "this is a layer, not what it makes of a tensor")
                                 .help("a layer is applied to a tensor: `Linear(n)(x)`"));
        return std::nullopt;
      }
      return bad("cannot be given to an operation");
    default: return bad("cannot be given to an operation");
  }
}

std::optional<std::vector<ops::Argument>> to_arguments(
    Evaluator& evaluator, llvm::ArrayRef<EvaluatedArgument> arguments) {
  std::vector<ops::Argument> list;
  for (const EvaluatedArgument& a : arguments) {
    auto argument = to_argument(evaluator, a);
    if (!argument) return std::nullopt;
    list.push_back(std::move(*argument));
  }
  return list;
}

Value from_result(Evaluator& evaluator, const ops::Tensors& tensors,
                  const graph::Builder& builder) {
  if (tensors.size() == 1) return tensor_value(evaluator, tensors[0], builder);
  llvm::SmallVector<Value, 6> values;
  for (graph::TensorId t : tensors) values.push_back(tensor_value(evaluator, t, builder));
  return evaluator.make_list(values, ValueKind::tuple);
}

void report(Evaluator& evaluator, const ops::Failure& failure, Kind kind) {
  DiagnosticBuilder builder(failure.limit ? Kind::GraphTooLarge : kind, failure.caret,
                            failure.headline);
  builder.caret_text(failure.caret_text);
  for (const auto& label : failure.labels) builder.label(label.span, label.text);
  for (const std::string& note : failure.notes) builder.note(note);
  evaluator.sink().add(std::move(builder));
}

}  // namespace dtp::model

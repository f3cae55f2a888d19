// Values of the language as arguments of operations and layers, and back.
#pragma once
#include <optional>
#include <vector>

#include "eval/evaluator.h"
#include "ops/operation.h"

namespace dtp::model {

eval::Value tensor_value(eval::Evaluator& evaluator, graph::TensorId id,
                         const graph::Builder& builder);
// Nothing, with a report, when a value cannot be an argument.
std::optional<std::vector<ops::Argument>> to_arguments(
    eval::Evaluator& evaluator, llvm::ArrayRef<eval::EvaluatedArgument> arguments);
std::optional<ops::Argument> to_argument(eval::Evaluator& evaluator,
                                         const eval::EvaluatedArgument& argument);
// The tensors of an operation as one value: the tensor, or several results.
eval::Value from_result(eval::Evaluator& evaluator, const ops::Tensors& tensors,
                        const graph::Builder& builder);
void report(eval::Evaluator& evaluator, const ops::Failure& failure,
            Kind kind = Kind::WrongOperands);
// A size as a number of the language.
eval::Value dim_value(eval::Evaluator& evaluator, graph::Dim dim);
// A whole number or a multiple of the batch as a dimension.
std::optional<graph::Dim> to_dim(const eval::Value& value);

}  // namespace dtp::model

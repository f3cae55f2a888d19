// The four operators between tensors, or between a tensor and a number.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

// integers[0]; reals[0] is the number.
enum class Operands : int64_t { tensors = 0, number_right = 1, number_left = 2 };
inline Operands operands_of(const Call& call) { return static_cast<Operands>(call.integer(0)); }

// Whole beside whole numbers, which it leaves whole.
inline at::Scalar number_of(const Call& call, const at::Tensor& x) {
  double number = call.real(0);
  auto whole = static_cast<int64_t>(number);
  if (at::isIntegralType(x.scalar_type(), true) && static_cast<double>(whole) == number)
    return whole;
  return number;
}

}  // namespace dtp::runtime::ops

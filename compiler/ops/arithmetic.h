// The four operators between tensors, or between a tensor and a number.
#pragma once
#include "ops/common.h"

namespace dtp::ops {

inline constexpr Formal kTwoOperands[] = {{"a", Accepts::tensor_or_number},
                                          {"b", Accepts::tensor_or_number}};

// attributes.integers[0]: 0 for tensor and tensor, 1 when b is the number, 2 when a is; reals[0]:
// the number.
enum class Operands : int64_t { tensors = 0, number_right = 1, number_left = 2 };

Result build_arithmetic(Call& call, const Operation& operation);
inline Operands operands_of(const Node& node) {
  return static_cast<Operands>(node.attributes.integers[0]);
}

}  // namespace dtp::ops

// Parameters: lengths, and directions with the same last axis.
#include <ATen/ops/_weight_norm.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void weight_norm(Call& call) {
  const at::Tensor& length = call.parameter(0);
  const at::Tensor& direction = call.parameter(1);
  call.give(0, at::_weight_norm(direction, length, direction.dim() - 1));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/linear.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void linear(Call& call) {
  refuse_exchange(call);
  at::Tensor x = call.take(0);
  const at::Tensor& weight = call.parameter(0);
  at::Tensor bias = call.parameters() > 1 ? call.parameter(1) : at::Tensor();
  call.give(0, at::linear(x, weight, bias));
}

}  // namespace dtp::runtime::ops

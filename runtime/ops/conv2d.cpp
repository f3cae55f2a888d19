// integers: stride and padding, height before width.
#include <ATen/ops/conv2d.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void conv2d(Call& call) {
  at::Tensor x = call.take(0);
  const at::Tensor& weight = call.parameter(0);
  at::Tensor bias = call.parameters() > 1 ? call.parameter(1) : at::Tensor();
  int64_t stride[] = {call.integer(0), call.integer(1)};
  int64_t padding[] = {call.integer(2), call.integer(3)};
  int64_t groups = x.size(1) / weight.size(1);
  call.give(0, at::conv2d(x, weight, bias, stride, padding, 1, groups));
}

}  // namespace dtp::runtime::ops

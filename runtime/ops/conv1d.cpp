// integers: stride and padding.
#include <ATen/ops/conv1d.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void conv1d(Call& call) {
  at::Tensor x = call.take(0);
  // The weight is a parameter or, where it is made of others, the second input.
  bool own = call.inputs() == 1;
  at::Tensor weight = own ? call.parameter(0) : call.take(1);
  at::Tensor bias = call.parameters() > own ? call.parameter(own) : at::Tensor();
  int64_t stride = call.integer(0), padding = call.integer(2);
  int64_t groups = x.size(1) / weight.size(1);
  call.give(0, at::conv1d(x, weight, bias, stride, padding, 1, groups));
}

}  // namespace dtp::runtime::ops

// reals: eps.
#include <ATen/ops/layer_norm.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void layer_norm(Call& call) {
  at::Tensor x = call.take(0);
  at::Tensor weight = call.parameters() > 0 ? parameter_like(x, call.parameter(0)) : at::Tensor();
  at::Tensor bias = call.parameters() > 1 ? parameter_like(x, call.parameter(1)) : at::Tensor();
  call.give(0, at::layer_norm(x, x.size(-1), weight, bias, call.real(0)));
}

}  // namespace dtp::runtime::ops

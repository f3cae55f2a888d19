// integers: groups; reals: eps.
#include <ATen/ops/group_norm.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void group_norm(Call& call) {
  at::Tensor x = call.take(0);
  at::Tensor weight = parameter_like(x, call.parameter(0));
  at::Tensor bias = parameter_like(x, call.parameter(1));
  call.give(0, at::group_norm(x, call.integer(0), weight, bias, call.real(0), false));
}

}  // namespace dtp::runtime::ops

// integers: groups; reals: eps.
#include <ATen/ops/group_norm.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void group_norm(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::group_norm(x, call.integer(0), call.parameter(0), call.parameter(1),
                              call.real(0), false));
}

}  // namespace dtp::runtime::ops

// reals: the lower and the upper end.
#include <ATen/ops/clamp.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void clamp(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::clamp(x, call.real(0), call.real(1)));
}

}  // namespace dtp::runtime::ops

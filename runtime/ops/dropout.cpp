// reals: probability.
#include <ATen/ops/dropout.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void dropout(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::dropout(x, call.real(0), call.training()));
}

}  // namespace dtp::runtime::ops

// integers: 1 for the approximation by tanh.
#include <ATen/ops/gelu.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void gelu(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::gelu(x, call.integer(0) == 0 ? "none" : "tanh"));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/silu.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void silu(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::silu(x));
}

}  // namespace dtp::runtime::ops

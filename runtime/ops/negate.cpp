#include <ATen/ops/neg.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void negate(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::neg(x));
}

}  // namespace dtp::runtime::ops

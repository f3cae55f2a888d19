#include <ATen/ops/hardsigmoid.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void hardsigmoid(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::hardsigmoid(x));
}

}  // namespace dtp::runtime::ops

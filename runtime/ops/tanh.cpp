#include <ATen/ops/tanh.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void tanh(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::tanh(x));
}

}  // namespace dtp::runtime::ops

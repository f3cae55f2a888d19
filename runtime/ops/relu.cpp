#include <ATen/ops/relu.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void relu(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::relu(x));
}

}  // namespace dtp::runtime::ops

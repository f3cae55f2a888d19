#include <ATen/ops/sigmoid.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void sigmoid(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::sigmoid(x));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/matmul.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void matmul(Call& call) {
  at::Tensor a = call.take(0);
  at::Tensor b = call.take(1);
  call.give(0, at::matmul(a, b));
}

}  // namespace dtp::runtime::ops

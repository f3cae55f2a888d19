#include <ATen/ops/sqrt.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void sqrt(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::sqrt(x));
}

}  // namespace dtp::runtime::ops

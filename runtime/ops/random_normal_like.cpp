#include <ATen/ops/randn_like.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void random_normal_like(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::randn_like(x));
}

}  // namespace dtp::runtime::ops

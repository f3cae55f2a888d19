#include <ATen/ops/empty.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void room_like(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::empty(x.sizes(), x.options()));
}

}  // namespace dtp::runtime::ops

// integers: left, right, top, bottom.
#include <ATen/ops/constant_pad_nd.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void pad(Call& call) {
  at::Tensor x = call.take(0);
  int64_t border[] = {call.integer(0), call.integer(1), call.integer(2), call.integer(3)};
  call.give(0, at::constant_pad_nd(x, border, 0));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/hardswish.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void hardswish(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::hardswish(x));
}

}  // namespace dtp::runtime::ops

// integers: size, stride, padding.
#include <ATen/ops/avg_pool2d.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void avg_pool(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::avg_pool2d(x, call.integer(0), call.integer(1), call.integer(2)));
}

}  // namespace dtp::runtime::ops

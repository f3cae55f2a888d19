// integers: the axis.
#include <ATen/ops/softmax.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void softmax(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::softmax(x, call.integer(0)));
}

}  // namespace dtp::runtime::ops

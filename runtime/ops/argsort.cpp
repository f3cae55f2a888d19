#include <ATen/ops/argsort.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void argsort(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::argsort(x));
}

}  // namespace dtp::runtime::ops

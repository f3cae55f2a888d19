#include <ATen/ops/exp.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void exp(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::exp(x));
}

}  // namespace dtp::runtime::ops

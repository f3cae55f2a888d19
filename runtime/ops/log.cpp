#include <ATen/ops/log.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void log(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, at::log(x));
}

}  // namespace dtp::runtime::ops

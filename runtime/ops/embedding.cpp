#include <ATen/ops/embedding.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void embedding(Call& call) {
  refuse_exchange(call);
  at::Tensor index = call.take(0);
  call.give(0, at::embedding(call.parameter(0), index));
}

}  // namespace dtp::runtime::ops

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void merge_heads(Call& call) {
  at::Tensor x = call.take(0);
  at::Tensor swapped = x.transpose(1, 2);
  x.reset();
  call.give(0, swapped.reshape(call.output_shape(0)));
}

}  // namespace dtp::runtime::ops

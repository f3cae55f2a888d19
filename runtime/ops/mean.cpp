// shape: the axes; none stands for all.
#include <ATen/ops/mean.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void mean(Call& call) {
  at::Tensor x = call.take(0);
  bool all = call.output_shape(0).empty();
  call.give(0, all ? at::mean(x) : at::mean(x, call.shape()));
}

}  // namespace dtp::runtime::ops

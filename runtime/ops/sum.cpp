// shape: the axes; none stands for all.
#include <ATen/ops/sum.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void sum(Call& call) {
  at::Tensor x = call.take(0);
  bool all = call.output_shape(0).empty();
  call.give(0, all ? at::sum(x) : at::sum(x, call.shape()));
}

}  // namespace dtp::runtime::ops

// shape: the axes; none stands for all.
#include <ATen/ops/mean.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void mean(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<int64_t> axes = call.shape();
  call.give(0, axes.empty() ? at::mean(x) : at::mean(x, axes));
}

}  // namespace dtp::runtime::ops

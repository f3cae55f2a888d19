// shape: the axes; none stands for all.
#include <ATen/ops/sum.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void sum(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<int64_t> axes = call.shape();
  call.give(0, axes.empty() ? at::sum(x) : at::sum(x, axes));
}

}  // namespace dtp::runtime::ops

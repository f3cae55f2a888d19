#include <ATen/ops/adaptive_avg_pool2d.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void adaptive_avg_pool(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<int64_t> shape = call.output_shape(0);
  call.give(0, at::adaptive_avg_pool2d(x, {shape[2], shape[3]}));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/upsample_nearest2d.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void upsample(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<int64_t> out = call.output_shape(0);
  call.give(0, at::upsample_nearest2d(x, at::IntArrayRef(out).slice(2)));
}

}  // namespace dtp::runtime::ops

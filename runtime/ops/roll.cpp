// integers: whether anything moves; shape: by how much along each axis.
#include <ATen/ops/roll.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void roll(Call& call) {
  at::Tensor x = call.take(0);
  if (call.integer(0) == 0) {
    call.give(0, std::move(x));
    return;
  }
  std::vector<int64_t> shifts, axes, along = call.shape();
  for (size_t i = 0; i < along.size(); ++i) {
    if (along[i] == 0) continue;
    shifts.push_back(along[i]);
    axes.push_back(static_cast<int64_t>(i));
  }
  call.give(0, at::roll(x, shifts, axes));
}

}  // namespace dtp::runtime::ops

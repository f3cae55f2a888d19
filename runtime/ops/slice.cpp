// integers: the axis, where it begins.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void slice(Call& call) {
  at::Tensor x = call.take(0);
  int64_t axis = call.integer(0), from = call.integer(1);
  int64_t size = call.output_shape(0)[static_cast<size_t>(axis)];
  call.give(0, x.slice(axis, from, from + size));
}

}  // namespace dtp::runtime::ops

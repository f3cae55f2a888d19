// integers: whether the places are copied.
#include <ATen/ops/gather.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void take(Call& call) {
  at::Tensor x = call.take(0);
  at::Tensor places = call.take(1);
  std::vector<int64_t> shape = places.sizes().vec();
  shape.resize(static_cast<size_t>(x.dim()), 1);
  at::Tensor wide = places.view(shape);
  std::vector<int64_t> whole = call.output_shape(0);
  if (call.integer(0) != 0) {
    for (size_t i = 0; i < whole.size(); ++i) shape[i] = whole[i] / shape[i];
    wide = wide.repeat(shape);
  } else {
    wide = wide.expand(whole);
  }
  call.give(0, at::gather(x, 1, wide));
}

}  // namespace dtp::runtime::ops

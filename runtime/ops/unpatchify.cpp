// integers: the side of a patch.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void unpatchify(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<int64_t> out = call.output_shape(0);
  int64_t patch = call.integer(0);
  at::Tensor six = x.reshape({out[0], out[2] / patch, out[3] / patch, patch, patch, out[1]});
  at::Tensor ordered = six.permute({0, 5, 1, 3, 2, 4});
  call.give(0, ordered.reshape(out));
}

}  // namespace dtp::runtime::ops

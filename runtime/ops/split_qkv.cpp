#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void split_qkv(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<int64_t> one = call.output_shape(0);
  at::Tensor five = x.reshape({x.size(0), x.size(1), 3, one[1], one[3]});
  x.reset();
  at::Tensor ordered = five.permute({2, 0, 3, 1, 4});
  five.reset();
  std::vector<at::Tensor> parts = ordered.unbind(0);
  for (size_t i = 0; i < 3; ++i) call.give(i, std::move(parts[i]));
}

}  // namespace dtp::runtime::ops

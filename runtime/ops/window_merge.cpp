// integers: window.
#include "runtime/ops/call.h"
#include "runtime/ops/windows.h"

namespace dtp::runtime::ops {

void window_merge(Call& call) {
  at::Tensor x = call.take(0);
  int64_t window = call.integer(0);
  std::vector<int64_t> out = call.output_shape(0);
  std::vector<int64_t> six = {out[0], out[1] / window, out[2] / window, window, window, out[3]};
  call.give(0, regrouped(std::move(x), six, out));
}

}  // namespace dtp::runtime::ops

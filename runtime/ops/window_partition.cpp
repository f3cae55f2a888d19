// integers: window.
#include "runtime/ops/call.h"
#include "runtime/ops/windows.h"

namespace dtp::runtime::ops {

void window_partition(Call& call) {
  at::Tensor x = call.take(0);
  int64_t window = call.integer(0);
  std::vector<int64_t> six = {x.size(0), x.size(1) / window, window, x.size(2) / window,
                              window,    x.size(3)};
  call.give(0, regrouped(std::move(x), six, call.output_shape(0)));
}

}  // namespace dtp::runtime::ops

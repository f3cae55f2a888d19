// integers: window, 0 where there is none. Minus infinity for later tokens, and for those that left
// the window.
#include <ATen/ops/full.h>

#include <limits>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void causal_mask(Call& call) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  std::vector<int64_t> shape = call.output_shape(0);
  at::Tensor mask = at::full(shape, kNever, call.real_type());
  mask.triu_(1);
  if (int64_t window = call.integer(0); window > 0) {
    at::Tensor before = at::full(shape, kNever, call.real_type());
    before.tril_(-window);
    mask.add_(before);
  }
  call.give(0, mask);
}

}  // namespace dtp::runtime::ops

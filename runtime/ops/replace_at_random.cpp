// integers: what comes instead; reals: probability.
#include <ATen/ops/empty.h>
#include <ATen/ops/masked_fill.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void replace_at_random(Call& call) {
  at::Tensor y = call.take(0);
  if (call.real(0) == 0 || !call.training()) {
    call.give(0, std::move(y));
    return;
  }
  at::Tensor drawn = at::empty(y.sizes(), at::kFloat);
  drawn.bernoulli_(call.real(0));
  at::Tensor chosen = drawn.to(at::kBool);
  call.give(0, at::masked_fill(y, chosen, call.integer(0)));
}

}  // namespace dtp::runtime::ops

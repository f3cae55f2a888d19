// reals: probability. As torchvision's stochastic_depth in mode `row`: one number a sample, and a
// product with it.
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void stochastic_depth(Call& call) {
  at::Tensor x = call.take(0);
  if (call.real(0) == 0 || !call.training()) {
    call.give(0, std::move(x));
    return;
  }
  double kept = 1 - call.real(0);
  at::Tensor drawn = at::empty(one_each(x), x.scalar_type());
  drawn.bernoulli_(kept);
  drawn.div_(kept);
  call.give(0, at::mul(x, drawn));
}

}  // namespace dtp::runtime::ops

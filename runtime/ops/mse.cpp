#include <ATen/ops/mse_loss.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void mse(Call& call) {
  at::Tensor prediction = call.take(0);
  at::Tensor target = call.take(1);
  call.give(0, at::mse_loss(prediction, target));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/cross_entropy_loss.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void cross_entropy(Call& call) {
  refuse_exchange(call);
  at::Tensor logits = call.take(0);
  at::Tensor target = call.take(1);
  // The loss wants classes on axis 1: as rows they are there without a permutation.
  at::Tensor rows = logits.dim() > 2 ? logits.reshape({-1, logits.size(-1)}) : logits;
  at::Tensor labels = target.dim() > 1 ? target.reshape({-1}) : target;
  call.give(0, at::cross_entropy_loss(rows, labels));
}

}  // namespace dtp::runtime::ops

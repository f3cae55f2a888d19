// shape: the order of the axes.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void permute(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.permute(call.shape()));
}

}  // namespace dtp::runtime::ops

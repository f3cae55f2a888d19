// integers: the axis.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void unsqueeze(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.unsqueeze(call.integer(0)));
}

}  // namespace dtp::runtime::ops

// integers: the axis.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void first(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.select(call.integer(0), 0));
}

}  // namespace dtp::runtime::ops

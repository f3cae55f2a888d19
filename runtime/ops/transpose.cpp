// integers: the two axes.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void transpose(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.transpose(call.integer(0), call.integer(1)));
}

}  // namespace dtp::runtime::ops

// A view of the slice that this iteration of the repeat works on.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void pick(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.slice(0, call.iteration(), call.iteration() + 1));
}

}  // namespace dtp::runtime::ops

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void detach(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.detach());
}

}  // namespace dtp::runtime::ops

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void flatten(Call& call) {
  at::Tensor x = call.take(0);
  call.give(0, x.reshape(call.output_shape(0)));
}

}  // namespace dtp::runtime::ops

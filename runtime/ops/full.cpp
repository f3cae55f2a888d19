// reals: the number.
#include <ATen/ops/full.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void full(Call& call) {
  call.give(0, at::full(call.output_shape(0), call.real(0), call.real_type()));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/arange.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void arange(Call& call) { call.give(0, at::arange(call.output_shape(0)[0], at::kLong)); }

}  // namespace dtp::runtime::ops

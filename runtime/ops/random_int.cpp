// integers: the number that all are below.
#include <ATen/ops/randint.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void random_int(Call& call) {
  call.give(0, at::randint(call.integer(0), call.output_shape(0), at::kLong));
}

}  // namespace dtp::runtime::ops

#include <ATen/ops/rand.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void random_uniform(Call& call) { call.give(0, at::rand(call.output_shape(0), call.real_type())); }

}  // namespace dtp::runtime::ops

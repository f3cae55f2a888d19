#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void read_parameter(Call& call) { call.give(0, call.parameter(0)); }

}  // namespace dtp::runtime::ops

// integers: the axis.
#include <ATen/ops/cat.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void concat(Call& call) {
  std::vector<at::Tensor> parts;
  parts.reserve(call.inputs());
  for (size_t i = 0; i < call.inputs(); ++i) parts.push_back(call.take(i));
  call.give(0, at::cat(parts, call.integer(0)));
}

}  // namespace dtp::runtime::ops

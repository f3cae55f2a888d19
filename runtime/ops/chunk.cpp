// integers: the axis.
#include <ATen/ops/chunk.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void chunk(Call& call) {
  at::Tensor x = call.take(0);
  auto count = static_cast<int64_t>(call.outputs());
  std::vector<at::Tensor> parts = at::chunk(x, count, call.integer(0));
  for (size_t i = 0; i < parts.size(); ++i) call.give(i, std::move(parts[i]));
}

}  // namespace dtp::runtime::ops

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void to_fp32(Call& call) {
  at::Tensor x = call.take(0);
  if (is_16_bit(x.scalar_type())) x = x.to(at::kFloat);
  call.give(0, std::move(x));
}

}  // namespace dtp::runtime::ops

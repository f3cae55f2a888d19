// reals: eps. As LlamaRMSNorm of transformers composes it, in fp32 whatever comes in:
// weight * (x32 * rsqrt(mean(x32^2) + eps)).to(x's type).
#include <ATen/ops/add.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsqrt.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void rms_norm(Call& call) {
  at::Tensor x = call.take(0);
  at::ScalarType type = x.scalar_type();
  at::Tensor wide = is_16_bit(type) ? x.to(at::kFloat) : x;
  x.reset();
  at::Tensor square = at::pow(wide, 2);
  at::Tensor variance = at::mean(square, -1, true);
  square.reset();
  variance = at::add(variance, call.real(0));
  at::Tensor root = at::rsqrt(variance);
  variance.reset();
  at::Tensor normal = at::mul(wide, root);
  wide.reset();
  root.reset();
  normal = normal.to(type);
  call.give(0, at::mul(call.parameter(0), normal));
}

}  // namespace dtp::runtime::ops

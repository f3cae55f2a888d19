// integers: whether the scale is 1 + weight. reals: eps. As LlamaRMSNorm of transformers composes
// it, in fp32 whatever comes in: weight * (x32 * rsqrt(mean(x32^2) + eps)).to(x's type); or as
// GemmaRMSNorm does: (x32 * rsqrt(mean(x32^2) + eps) * (1 + weight32)).to(x's type).
#include <ATen/ops/add.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsqrt.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {
namespace {

at::Tensor scaled_around_one(at::Tensor normal, const at::Tensor& weight, at::ScalarType type) {
  at::Tensor wide = is_16_bit(weight.scalar_type()) ? weight.to(at::kFloat) : weight;
  at::Tensor scale = at::add(wide, 1.0);
  wide.reset();
  at::Tensor scaled = at::mul(normal, scale);
  normal.reset();
  scale.reset();
  return scaled.to(type);
}

}  // namespace

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
  if (call.integer(0) != 0) {
    call.give(0, scaled_around_one(std::move(normal), call.parameter(0), type));
    return;
  }
  normal = normal.to(type);
  call.give(0, at::mul(call.parameter(0), normal));
}

}  // namespace dtp::runtime::ops

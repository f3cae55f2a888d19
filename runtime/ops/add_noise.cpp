#include <ATen/ops/add.h>
#include <ATen/ops/mul.h>

#include <cmath>

#include "runtime/ops/common.h"
#include "runtime/ops/diffusion.h"

namespace dtp::runtime::ops {

void add_noise(Call& call) {
  at::Tensor z = call.take(0);
  at::Tensor noise = call.take(1);
  at::Tensor t = call.take(2);
  std::vector<double> step = numbers(t);
  auto kept_at = [&](int64_t i) {
    return noise_schedule().kept.at(static_cast<size_t>(step[static_cast<size_t>(i)]));
  };
  at::Tensor signal =
      filled(one_each(z), z.scalar_type(), [&](int64_t i) { return std::sqrt(kept_at(i)); });
  at::Tensor kept = at::mul(signal, z);
  at::Tensor strength =
      filled(one_each(z), z.scalar_type(), [&](int64_t i) { return std::sqrt(1 - kept_at(i)); });
  at::Tensor added = at::mul(strength, noise);
  call.give(0, at::add(kept, added));
}

}  // namespace dtp::runtime::ops

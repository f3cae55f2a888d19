// reals: eps. Parameters: weight, bias, and where they are kept the running mean and variance,
// which move by a tenth to those of the batch.
#include <ATen/ops/batch_norm.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {
namespace {

constexpr double kMomentum = 0.1;

}  // namespace

void batch_norm(Call& call) {
  at::Tensor x = call.take(0);
  at::Tensor mean = call.parameters() > 2 ? call.parameter(2) : at::Tensor();
  at::Tensor variance = call.parameters() > 3 ? call.parameter(3) : at::Tensor();
  call.give(0, at::batch_norm(x, call.parameter(0), call.parameter(1), mean, variance, true,
                              kMomentum, call.real(0), false));
}

}  // namespace dtp::runtime::ops

#include <ATen/autocast_mode.h>
#include <ATen/ops/linear.h>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {
namespace {

// Rows that lie one after another, in the type of the product. Without this at::linear makes a
// product for each sample of a permuted tensor, with a copy of the weight for each in the backward
// step.
at::Tensor rows_of(const at::Tensor& x) {
  at::ScalarType type =
      at::autocast::is_cpu_enabled() ? at::autocast::get_autocast_cpu_dtype() : x.scalar_type();
  if (x.is_contiguous() || x.scalar_type() == type) return x.contiguous();
  return x.to(type, false, false, at::MemoryFormat::Contiguous);
}

}  // namespace

void linear(Call& call) {
  refuse_exchange(call);
  at::Tensor x = call.take(0);
  at::Tensor rows = rows_of(x);
  const at::Tensor& weight = call.parameter(0);
  at::Tensor bias = call.parameters() > 1 ? call.parameter(1) : at::Tensor();
  call.give(0, at::linear(rows, weight, bias));
}

}  // namespace dtp::runtime::ops

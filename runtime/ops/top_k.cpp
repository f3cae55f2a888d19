// integers: whether the values are divided by their sum.
#include <ATen/ops/div.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/topk.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void top_k(Call& call) {
  at::Tensor x = call.take(0);
  auto [values, choices] = at::topk(x, call.output_shape(0).back());
  x.reset();
  if (call.integer(0) != 0) {
    at::Tensor sum = at::sum(values, -1, true);
    values = at::div(values, sum);
  }
  call.give(0, std::move(values));
  call.give(1, std::move(choices));
}

}  // namespace dtp::runtime::ops

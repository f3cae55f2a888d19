// As load_balancing_loss_func of transformers: the softmax, the choices as zeros and ones (whole
// numbers, then real), their means over the tokens, and the sum of the products
// times the number of experts.
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void load_balance(Call& call) {
  at::Tensor logits = call.take(0);
  at::Tensor choices = call.take(1);
  int64_t experts = logits.size(1);
  at::Tensor shares = at::softmax(logits, -1);
  logits.reset();
  at::Tensor hot = at::zeros({choices.size(0), choices.size(1), experts}, at::kLong);
  hot.scatter_(2, choices.unsqueeze(2), 1);
  at::Tensor real = hot.to(at::kFloat);
  at::Tensor counts = at::mean(real, 0);
  hot.reset();
  real.reset();
  at::Tensor mean = at::mean(shares, 0);
  shares.reset();
  at::Tensor product = at::mul(counts, mean);
  at::Tensor sum = at::sum(product);
  product.reset();
  call.give(0, at::mul(sum, static_cast<double>(experts)));
}

}  // namespace dtp::runtime::ops

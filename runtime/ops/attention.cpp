// integers: causal, whether there is a bias, whether there is a mask, whether a scale is given;
// reals: scale, probability of dropout. Products written out: no fused kernel has a backward step
// on a CPU.
#include <ATen/ops/add.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <limits>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {
namespace {

// Key and value heads repeated to as many as the query has: a copy.
at::Tensor repeated_heads(const at::Tensor& x, int64_t heads) {
  if (x.size(1) == heads) return x;
  at::Tensor wide = x.unsqueeze(2);
  wide = wide.expand({-1, -1, heads / x.size(1), -1, -1});
  return wide.reshape({x.size(0), heads, x.size(2), x.size(3)});
}

// Scores [B * windows, heads, T, S] of windows, with the mask [windows, T, S] of each added.
at::Tensor masked(const at::Tensor& scores, const at::Tensor& mask) {
  at::Tensor cut = scores.view({scores.size(0) / mask.size(0), mask.size(0), scores.size(1),
                                scores.size(2), scores.size(3)});
  at::Tensor wide = mask.unsqueeze(1);
  at::Tensor sum = at::add(cut, wide);
  return sum.view(scores.sizes());
}

// What is added to scores [.., T, S] so that no query sees a later key.
at::Tensor future(const at::Tensor& scores, at::ScalarType type) {
  at::Tensor mask =
      at::full({scores.size(2), scores.size(3)}, -std::numeric_limits<double>::infinity(), type);
  mask.triu_(1);
  return mask;
}

}  // namespace

void attention(Call& call) {
  at::Tensor q = call.take(0);
  at::Tensor k = call.take(1);
  at::Tensor v = call.take(2);
  at::Tensor bias, mask;
  size_t next = 3;
  if (call.integer(1) != 0) bias = call.take(next++);
  if (call.integer(2) != 0) mask = call.take(next);
  bool given = call.integer(3) != 0, scaled = !given || call.real(0) != 1;
  double scale = given ? call.real(0) : 1 / std::sqrt(static_cast<double>(q.size(3)));
  k = repeated_heads(k, q.size(1));
  v = repeated_heads(v, q.size(1));
  at::Tensor keys = k.transpose(2, 3);
  k.reset();
  at::Tensor scores = at::matmul(q, keys);
  q.reset();
  keys.reset();
  if (scaled) scores = at::mul(scores, scale);
  if (bias.defined()) scores = at::add(scores, bias);
  bias.reset();
  if (mask.defined()) scores = masked(scores, mask);
  mask.reset();
  if (call.integer(0) != 0) {
    at::Tensor later = future(scores, call.real_type());
    scores = at::add(scores, later);
  }
  scores = at::softmax(scores, -1);
  if (call.real(1) > 0) scores = at::dropout(scores, call.real(1), call.training());
  call.give(0, at::matmul(scores, v));
}

}  // namespace dtp::runtime::ops

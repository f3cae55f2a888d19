// integers: buckets, whether both directions have their own, distance. As T5Attention of
// transformers computes them: half of the buckets are one distance each, the others grow with its
// logarithm.
#include <ATen/ops/abs.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/div.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/log.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {
namespace {

// The bucket of what lies too far for one of its own.
at::Tensor beyond_of(const at::Tensor& apart, int64_t buckets, int64_t distance) {
  int64_t exact = buckets / 2;
  at::Tensor far = apart.to(at::kFloat);
  far = at::div(far, exact);
  far = at::log(far);
  far = at::div(far, std::log(static_cast<double>(distance) / static_cast<double>(exact)));
  far = at::mul(far, buckets - exact);
  at::Tensor beyond = far.to(at::kLong);
  far.reset();
  beyond = at::add(beyond, exact);
  at::Tensor most = at::full_like(beyond, buckets - 1);
  return at::minimum(beyond, most);
}

}  // namespace

void relative_buckets(Call& call) {
  bool both = call.integer(1) != 0;
  int64_t buckets = both ? call.integer(0) / 2 : call.integer(0);
  std::vector<int64_t> shape = call.output_shape(0);
  at::Tensor queries = at::arange(shape[0], at::kLong);
  at::Tensor keys = at::arange(shape[1], at::kLong);
  at::Tensor apart = at::sub(keys.unsqueeze(0), queries.unsqueeze(1)), first;
  if (both) {
    at::Tensor later = at::gt(apart, 0);
    at::Tensor number = later.to(at::kLong);
    later.reset();
    first = at::mul(number, buckets);
    number.reset();
    apart = at::abs(apart);
  } else {
    at::Tensor zeros = at::zeros_like(apart);
    at::Tensor least = at::minimum(apart, zeros);
    zeros.reset();
    apart = at::neg(least);
  }
  at::Tensor near = at::lt(apart, buckets / 2);
  at::Tensor beyond = beyond_of(apart, buckets, call.integer(2));
  at::Tensor chosen = at::where(near, apart, beyond);
  call.give(0, both ? first.add_(chosen) : chosen);
}

}  // namespace dtp::runtime::ops

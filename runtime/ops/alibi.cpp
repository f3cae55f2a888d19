// Attention with linear biases (Press and others, arXiv 2108.12409), as build_alibi_tensor of
// transformers' BLOOM makes them: softmax does not see what all keys of a query have in common, so
// that the position of the key stands for its distance.
#include <ATen/ops/arange.h>
#include <ATen/ops/mul.h>

#include <cmath>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {
namespace {

// A geometric row that starts at its own ratio. Heads beyond a power of 2 take every other number
// of the row of twice as many.
double slope_of(int64_t head, int64_t heads) {
  int64_t whole = 1;
  while (2 * whole <= heads) whole *= 2;
  double exponent =
      head < whole ? static_cast<double>(head + 1) * 8 / static_cast<double>(whole)
                   : static_cast<double>(2 * (head - whole) + 1) * 4 / static_cast<double>(whole);
  return std::pow(2.0, -exponent);
}

}  // namespace

void alibi(Call& call) {
  std::vector<int64_t> shape = call.output_shape(0);
  at::Tensor slopes = filled({shape[0], 1, 1}, call.real_type(),
                             [&](int64_t head) { return slope_of(head, shape[0]); });
  at::Tensor positions = at::arange(shape[2], call.real_type());
  call.give(0, at::mul(slopes, positions));
}

}  // namespace dtp::runtime::ops

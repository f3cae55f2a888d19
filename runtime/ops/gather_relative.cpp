// As torchvision's Swin composes it: rows by index, permuted, made contiguous. The table has a row
// for each distance, the vertical one before the horizontal.
#include <ATen/ops/index_select.h>

#include <cmath>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

void gather_relative(Call& call) {
  at::Tensor table = call.take(0);
  std::vector<int64_t> out = call.output_shape(0);
  int64_t tokens = out[1];
  auto window = static_cast<int64_t>(std::llround(std::sqrt(static_cast<double>(tokens))));
  at::Tensor index = filled(tokens * tokens, at::kLong, [&](int64_t i) {
    int64_t a = i / tokens, b = i % tokens;
    int64_t down = a / window - b / window, right = a % window - b % window;
    return (down + window - 1) * (2 * window - 1) + right + window - 1;
  });
  at::Tensor rows = at::index_select(table, 0, index);
  index.reset();
  at::Tensor cut = rows.view({tokens, tokens, out[0]});
  rows.reset();
  at::Tensor ordered = cut.permute({2, 0, 1});
  cut.reset();
  call.give(0, ordered.contiguous());
}

}  // namespace dtp::runtime::ops

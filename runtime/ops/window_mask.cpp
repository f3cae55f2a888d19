// integers: height, width, window, shift. As torchvision's shifted_window_attention makes it: a
// shifted window holds up to four pieces of the image that were no neighbours before the shift, and
// scores between them get -100.
#include <ATen/ops/eq.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {
namespace {

// Of three bands of each axis: before the last window, in it, and what was moved there from the
// other side.
at::Tensor regions_of(int64_t height, int64_t width, int64_t window, int64_t shift,
                      at::ScalarType type) {
  at::Tensor regions = at::zeros({height, width}, type);
  const int64_t rows[] = {0, height - window, height - shift, height};
  const int64_t columns[] = {0, width - window, width - shift, width};
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k)
      regions.slice(0, rows[i], rows[i + 1])
          .slice(1, columns[k], columns[k + 1])
          .fill_(static_cast<int64_t>(3 * i + k));
  return regions;
}

}  // namespace

void window_mask(Call& call) {
  int64_t height = call.integer(0), width = call.integer(1), window = call.integer(2);
  at::Tensor regions = regions_of(height, width, window, call.integer(3), call.real_type());
  at::Tensor cut = regions.view({height / window, window, width / window, window});
  at::Tensor windows = cut.transpose(1, 2).reshape({-1, window * window});
  cut.reset();
  regions.reset();
  at::Tensor difference = at::sub(windows.unsqueeze(1), windows.unsqueeze(2));
  windows.reset();
  at::Tensor apart = at::masked_fill(difference, at::ne(difference, 0), -100.0);
  call.give(0, at::masked_fill(apart, at::eq(difference, 0), 0.0));
}

}  // namespace dtp::runtime::ops

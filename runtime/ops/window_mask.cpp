// integers: height, width, window, shift. A shifted window holds up to four pieces of the image
// that were no neighbours before the shift: scores between them get -100, as torchvision's
// shifted_window_attention has it.
#include "runtime/ops/common.h"

namespace dtp::runtime::ops {
namespace {

// Which of the three bands of an axis a row lies in: before the last window, in it, or in what was
// moved there from the other side.
int64_t band(int64_t row, int64_t size, int64_t window, int64_t shift) {
  return row < size - window ? 0 : row < size - shift ? 1 : 2;
}

}  // namespace

void window_mask(Call& call) {
  int64_t height = call.integer(0), width = call.integer(1), window = call.integer(2);
  int64_t shift = call.integer(3), across = width / window, tokens = window * window;
  auto region = [&](int64_t which, int64_t token) {
    int64_t row = which / across * window + token / window;
    int64_t column = which % across * window + token % window;
    return 3 * band(row, height, window, shift) + band(column, width, window, shift);
  };
  call.give(0, filled(call.output_shape(0), call.real_type(), [&](int64_t i) {
              int64_t which = i / (tokens * tokens);
              return region(which, i / tokens % tokens) == region(which, i % tokens) ? 0.0 : -100.0;
            }));
}

}  // namespace dtp::runtime::ops

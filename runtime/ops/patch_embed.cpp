// integers: the side of a patch. The patches as rows (a copy), times the kernel as a matrix: the
// same products as a convolution with that stride.
#include <ATen/ops/linear.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void patch_embed(Call& call) {
  at::Tensor image = call.take(0);
  int64_t samples = image.size(0), channels = image.size(1), patch = call.integer(0);
  int64_t rows = image.size(2) / patch, columns = image.size(3) / patch;
  at::Tensor six = image.reshape({samples, channels, rows, patch, columns, patch});
  image.reset();
  at::Tensor ordered = six.permute({0, 2, 4, 1, 3, 5});
  six.reset();
  at::Tensor patches = ordered.reshape({samples, rows * columns, channels * patch * patch});
  ordered.reset();
  const at::Tensor& kernel = call.parameter(0);
  at::Tensor weight = kernel.view({kernel.size(0), channels * patch * patch});
  call.give(0, at::linear(patches, weight, call.parameter(1)));
}

}  // namespace dtp::runtime::ops

// Images cut into windows, and windows put together.
#pragma once
#include <ATen/core/Tensor.h>

namespace dtp::runtime::ops {

// A view in six dimensions, two of them exchanged, and a copy. As torchvision's Swin composes both
// ways.
inline at::Tensor regrouped(at::Tensor x, at::IntArrayRef six, at::IntArrayRef out) {
  at::Tensor cut = x.reshape(six);
  x.reset();
  at::Tensor exchanged = cut.transpose(2, 3);
  cut.reset();
  return exchanged.reshape(out);
}

}  // namespace dtp::runtime::ops

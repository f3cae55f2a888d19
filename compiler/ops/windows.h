// Images cut into windows, and windows put together.
#pragma once
#include "ops/common.h"

namespace dtp::ops {

// A view in six dimensions, two of them exchanged, and a copy: saves nothing. As torchvision's Swin
// composes both ways.
inline Value regrouped(Tape& tape, Value x, const Shape& six, const Shape& out) {
  Value cut = eager::view(tape, x, six);
  x.reset();
  Value exchanged = eager::transpose(tape, cut, 2, 3);
  cut.reset();
  return eager::view(tape, exchanged, out);
}

}  // namespace dtp::ops

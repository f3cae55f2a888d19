// Images [B, C, H, W] and windows that slide over them.
#pragma once
#include <variant>

#include "ops/common.h"

namespace dtp::ops {

struct Window {
  int64_t size = 1, stride = 1, padding = 0;
};

// A failure unless x is an image whose sizes do not depend on the batch.
std::optional<Failure> check_image(const Call& call, TensorId x);
// How often a window fits into a height and a width; `at`: the argument that gave its size.
std::variant<std::pair<Dim, Dim>, Failure> slide(const Call& call, TensorId x, Window window,
                                                 size_t at);

}  // namespace dtp::ops

// Images [B, C, H, W], sequences [B, C, L], and windows that slide over them.
#pragma once
#include <variant>
#include <vector>

#include "ops/common.h"

namespace dtp::ops {

struct Window {
  int64_t size = 1, stride = 1, padding = 0;
};

// A failure unless x is an image whose sizes do not depend on the batch.
std::optional<Failure> check_image(const Call& call, TensorId x);
// How often windows fit into the axes of x from the third on, one window an axis; `at`: the
// argument that gave their size.
std::variant<std::vector<Dim>, Failure> slide(const Call& call, TensorId x,
                                              std::span<const Window> windows, size_t at);
// One number an axis: argument i says one for all of them, or a list.
std::variant<std::vector<int64_t>, Failure> for_each_axis(const Call& call, size_t i, size_t axes);

}  // namespace dtp::ops

#include "runtime/ops/experts.h"

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {

std::vector<int64_t> places_of(const at::Tensor& choices, int64_t experts, int64_t each) {
  std::vector<int64_t> places(static_cast<size_t>(experts * each), kEmpty);
  std::vector<int64_t> filled_places(static_cast<size_t>(experts), 0);
  int64_t which = 0;
  for (double choice : numbers(choices)) {
    auto expert = static_cast<int64_t>(choice);
    int64_t& next = filled_places[static_cast<size_t>(expert)];
    if (next < each) places[static_cast<size_t>(expert * each + next++)] = which;
    ++which;
  }
  return places;
}

}  // namespace dtp::runtime::ops

// Which token lies in which place of an expert.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace dtp::runtime::ops {

inline constexpr int64_t kEmpty = -1;

// Of each expert's places, one after another: which of the choices [tokens, k], counted through,
// fills it. Tokens come in order; one that finds its expert full is dropped there, and places that
// nobody fills are empty (GShard, arXiv 2006.16668).
std::vector<int64_t> places_of(const at::Tensor& choices, int64_t experts, int64_t each);

}  // namespace dtp::runtime::ops

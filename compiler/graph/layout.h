// Where the elements of a tensor lie in its storage: shape and strides, as an eager framework keeps
// them. From these follows whether a reshape is a view or a copy.
#pragma once
#include <array>
#include <optional>
#include <span>

#include "graph/shape.h"

namespace dtp::graph {

// Strides in elements. A batch dimension counts as kBatchStandIn, a prime no model size is near, so
// that products of sizes are equal exactly when they are equal for every batch of two or more.
// Products wrap at 2^64: compared only.
inline constexpr int64_t kBatchStandIn = 1'000'003;

struct Layout {
  Shape shape;
  std::array<int64_t, kMostDims> strides{};

  int rank() const { return shape.rank(); }
};

int64_t numeric(Dim dim);

Layout contiguous(const Shape& shape);
bool is_contiguous(const Layout& layout);
// Some order of the dimensions makes it contiguous: no gaps and no overlaps.
bool is_dense(const Layout& layout);
// [B, C, H, W] whose axes lie in the order B, H, W, C: what PyTorch calls the memory format
// `channels_last` (is_channels_last_strides_2d_s4 of c10/core/MemoryFormat.h).
Layout channels_last(const Shape& shape);
bool is_channels_last(const Layout& layout);
// Two layouts of one shape have the same strides, but for axes of one.
bool lie_alike(const Layout& a, const Layout& b);

// Where a result by element lies: its axes in the order of the operands' strides, the first operand
// that tells two of them apart deciding (TensorIteratorBase::reorder_dimensions of
// aten/src/ATen/TensorIterator.cpp).
Layout by_element(const Shape& shape, std::span<const Layout* const> operands);

// The same storage under another shape of as many elements, where strides can say it
// (at::detail::computeStride).
std::optional<Layout> viewed(const Layout& layout, const Shape& shape);
Layout permuted(const Layout& layout, std::span<const int> order);
Layout transposed(const Layout& layout, int a, int b);
// Dimensions of size 1 (or missing in front) repeat with stride 0.
Layout expanded(const Layout& layout, const Shape& shape);
Layout with_size(const Layout& layout, int axis, Dim size);  // a slice along `axis`
Layout without(const Layout& layout, int axis);              // one index along `axis`

}  // namespace dtp::graph

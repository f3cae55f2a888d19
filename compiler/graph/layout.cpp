#include "graph/layout.h"

#include <algorithm>

namespace dtp::graph {
namespace {

int64_t times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

bool is_unit(Dim dim) { return dim.value == 1 && !dim.batch; }

// Above 0 where axis `a` of the result has to lie outside of `b`. Operands are shorter by what is
// spread in front of them.
int compared(const Shape& shape, std::span<const Layout* const> operands, int a, int b) {
  for (const Layout* operand : operands) {
    int missing = shape.rank() - operand->rank();
    auto stride = [&](int axis) -> int64_t {
      int from = axis - missing;
      if (from < 0) return 0;
      bool spread = is_unit(operand->shape[from]) && !is_unit(shape[axis]);
      return spread ? 0 : operand->strides[static_cast<size_t>(from)];
    };
    int64_t first = stride(a), second = stride(b);
    if (first == 0 || second == 0) continue;
    if (first != second) return first < second ? -1 : 1;
    if (numeric(shape[a]) > numeric(shape[b])) return 1;
  }
  return 0;
}

constexpr size_t kChannelsLast[] = {1, 3, 2, 0};  // the axes from the innermost on

}  // namespace

int64_t numeric(Dim dim) { return dim.batch ? times(dim.value, kBatchStandIn) : dim.value; }

Layout contiguous(const Shape& shape) {
  Layout layout{shape, {}};
  int64_t stride = 1;
  for (int i = shape.rank(); i-- > 0;) {
    layout.strides[static_cast<size_t>(i)] = stride;
    stride = times(stride, numeric(shape[i]));
  }
  return layout;
}

bool is_contiguous(const Layout& layout) {
  int64_t stride = 1;
  for (int i = layout.rank(); i-- > 0;) {
    int64_t size = numeric(layout.shape[i]);
    if (size == 1) continue;
    if (layout.strides[static_cast<size_t>(i)] != stride) return false;
    stride = times(stride, size);
  }
  return true;
}

Layout channels_last(const Shape& shape) {
  Layout layout{shape, {}};
  int64_t stride = 1;
  for (size_t axis : kChannelsLast) {
    layout.strides[axis] = stride;
    stride = times(stride, numeric(shape[static_cast<int>(axis)]));
  }
  return layout;
}

// Where nothing tells the two formats apart it is the usual one.
bool is_channels_last(const Layout& layout) {
  if (layout.rank() != 4 || layout.strides[1] == 0) return false;
  int64_t least = 0;
  for (size_t axis : kChannelsLast) {
    int64_t stride = layout.strides[axis];
    if (stride < least || (axis == 0 && least == layout.strides[1])) return false;
    least = times(stride, numeric(layout.shape[static_cast<int>(axis)]));
  }
  return true;
}

bool lie_alike(const Layout& a, const Layout& b) {
  for (int i = 0; i < a.rank(); ++i) {
    auto axis = static_cast<size_t>(i);
    if (!is_unit(a.shape[i]) && a.strides[axis] != b.strides[axis]) return false;
  }
  return true;
}

bool is_dense(const Layout& layout) {
  int64_t wanted = 1;
  std::array<bool, kMostDims> used{};
  for (int round = 0; round < layout.rank(); ++round) {
    bool found = false;
    for (int i = 0; i < layout.rank() && !found; ++i) {
      auto u = static_cast<size_t>(i);
      int64_t size = numeric(layout.shape[i]);
      if (used[u] || (size != 1 && layout.strides[u] != wanted)) continue;
      used[u] = found = true;
      wanted = times(wanted, size);
    }
    if (!found) return false;
  }
  return true;
}

Layout by_element(const Shape& shape, std::span<const Layout* const> operands) {
  bool plain = true;
  for (const Layout* operand : operands) plain = plain && is_contiguous(*operand);
  if (plain) return contiguous(shape);
  std::array<int, kMostDims> order{};  // the innermost first
  const int rank = shape.rank();
  for (int i = 0; i < rank; ++i) order[static_cast<size_t>(i)] = rank - 1 - i;
  for (int i = 1; i < rank; ++i) {
    auto at = static_cast<size_t>(i);
    for (size_t k = at; k-- > 0;) {
      int which = compared(shape, operands, order[k], order[at]);
      if (which < 0) break;
      if (which == 0) continue;
      std::swap(order[k], order[at]);
      at = k;
    }
  }
  Layout layout{shape, {}};
  int64_t stride = 1;
  for (int i = 0; i < rank; ++i) {
    auto axis = static_cast<size_t>(order[static_cast<size_t>(i)]);
    layout.strides[axis] = stride;
    stride = times(stride, numeric(shape[static_cast<int>(axis)]));
  }
  return layout;
}

std::optional<Layout> viewed(const Layout& layout, const Shape& shape) {
  Layout result{shape, {}};
  int old_rank = layout.rank();
  if (old_rank == 0) return contiguous(shape);
  int view = shape.rank() - 1;
  int64_t base = layout.strides[static_cast<size_t>(old_rank - 1)];
  Int128 old_count = 1, new_count = 1;
  for (int d = old_rank - 1; d >= 0; --d) {
    old_count *= numeric(layout.shape[d]);
    if (d > 0) {
      int64_t outer_stride = layout.strides[static_cast<size_t>(d - 1)];
      bool mergeable = numeric(layout.shape[d - 1]) == 1 ||
                       outer_stride == times(static_cast<int64_t>(old_count), base);
      if (mergeable) continue;
    }
    while (view >= 0 && (new_count < old_count || numeric(shape[view]) == 1)) {
      result.strides[static_cast<size_t>(view)] = times(static_cast<int64_t>(new_count), base);
      new_count *= numeric(shape[view]);
      --view;
    }
    if (new_count != old_count) return std::nullopt;
    if (d > 0) {
      base = layout.strides[static_cast<size_t>(d - 1)];
      old_count = new_count = 1;
    }
  }
  if (view != -1) return std::nullopt;
  return result;
}

Layout permuted(const Layout& layout, std::span<const int> order) {
  Layout result;
  for (int from : order) {
    result.strides[static_cast<size_t>(result.rank())] = layout.strides[static_cast<size_t>(from)];
    result.shape.push_back(layout.shape[from]);
  }
  return result;
}

Layout transposed(const Layout& layout, int a, int b) {
  Layout result = layout;
  std::swap(result.shape[a], result.shape[b]);
  std::swap(result.strides[static_cast<size_t>(a)], result.strides[static_cast<size_t>(b)]);
  return result;
}

Layout expanded(const Layout& layout, const Shape& shape) {
  Layout result{shape, {}};
  int missing = shape.rank() - layout.rank();
  for (int i = missing; i < shape.rank(); ++i) {
    int from = i - missing;
    bool repeats = layout.shape[from] != shape[i];
    result.strides[static_cast<size_t>(i)] =
        repeats ? 0 : layout.strides[static_cast<size_t>(from)];
  }
  return result;
}

Layout with_size(const Layout& layout, int axis, Dim size) {
  Layout result = layout;
  result.shape[axis] = size;
  return result;
}

Layout without(const Layout& layout, int axis) {
  Layout result = layout;
  result.shape.erase(axis);
  for (int i = axis; i < result.rank(); ++i)
    result.strides[static_cast<size_t>(i)] = layout.strides[static_cast<size_t>(i) + 1];
  return result;
}

}  // namespace dtp::graph

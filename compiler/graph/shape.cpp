#include "graph/shape.h"

#include <algorithm>

namespace dtp::graph {

Shape::Shape(std::span<const Dim> dims) {
  for (Dim d : dims) push_back(d);
}

void Shape::push_back(Dim dim) {
  if (rank_ < kMostDims) dims_[rank_++] = dim;
}

void Shape::insert(int at, Dim dim) {
  if (rank_ == kMostDims) return;
  std::copy_backward(dims_.begin() + at, dims_.begin() + rank_, dims_.begin() + rank_ + 1);
  dims_[static_cast<size_t>(at)] = dim;
  ++rank_;
}

void Shape::erase(int at) {
  std::copy(dims_.begin() + at + 1, dims_.begin() + rank_, dims_.begin() + at);
  --rank_;
}

Shape Shape::slice(int from, int to) const {
  return Shape(std::span<const Dim>(begin() + from, static_cast<size_t>(to - from)));
}

Monomial Shape::elements() const {
  constexpr int64_t saturated = int64_t{1} << 62;
  static_assert(saturated > kMostElements);
  int64_t value = 1;
  int power = 0;
  for (Dim d : *this) {
    power += d.batch ? 1 : 0;
    if (__builtin_mul_overflow(value, d.value, &value) || value > saturated) value = saturated;
  }
  return {value, power};
}

bool operator==(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

Shape with_single_sample(const Shape& shape) {
  Shape result = shape;
  for (int i = 0; i < result.rank(); ++i) result[i].batch = false;
  return result;
}

std::string to_string(Dim dim) {
  if (!dim.batch) return std::to_string(dim.value);
  return dim.value == 1 ? "B" : std::to_string(dim.value) + "·B";
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (Dim d : shape) {
    if (text.size() > 1) text += ", ";
    text += to_string(d);
  }
  return text + "]";
}

}  // namespace dtp::graph

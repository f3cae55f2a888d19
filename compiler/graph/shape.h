// Shapes whose batch dimension is a symbol, so that one graph serves every batch size.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "base/int128.h"

namespace dtp::graph {

// `value`, or `value * B` where B is the number of samples of one pass.
struct Dim {
  int64_t value = 1;
  bool batch = false;
  friend bool operator==(Dim, Dim) = default;
};
inline constexpr Dim kBatch{1, true};

// value * B^power: a number of elements, bytes or FLOP.
struct Monomial {
  Int128 value = 0;
  int power = 0;
  friend bool operator==(Monomial, Monomial) = default;
};
// An element count above this (2^56, about 7e16) is refused by the builder: every later sum then
// fits 128 bits.
inline constexpr Int128 kMostElements = Int128{1} << 56;

inline constexpr int kMostDims = 8;

// At most kMostDims dimensions; no heap.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<Dim> dims) : Shape(std::span<const Dim>(dims.begin(), dims.size())) {}
  // Dimensions past kMostDims are dropped: whoever reads a shape from a text checks the length
  // first.
  explicit Shape(std::span<const Dim> dims);

  int rank() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  Dim operator[](int i) const { return dims_[static_cast<size_t>(i)]; }
  Dim& operator[](int i) { return dims_[static_cast<size_t>(i)]; }
  Dim back() const { return dims_[rank_ - 1u]; }
  const Dim* begin() const { return dims_.data(); }
  const Dim* end() const { return dims_.data() + rank_; }
  void push_back(Dim dim);
  void insert(int at, Dim dim);
  void erase(int at);
  // The dimensions [from, to).
  Shape slice(int from, int to) const;

  // The product of all dimensions; saturates far above kMostElements.
  Monomial elements() const;
  friend bool operator==(const Shape& a, const Shape& b);

 private:
  std::array<Dim, kMostDims> dims_{};
  uint8_t rank_ = 0;
};

// What `B` stands for becomes 1: the shapes of a pass over a single sample.
Shape with_single_sample(const Shape& shape);

std::string to_string(Dim dim);             // "256", "B", "16·B"
std::string to_string(const Shape& shape);  // "[B, 256, 1152]"

}  // namespace dtp::graph

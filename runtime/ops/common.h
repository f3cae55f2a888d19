// What several operations share.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>

#include <stdexcept>
#include <vector>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

inline bool is_16_bit(at::ScalarType t) { return t == at::kHalf || t == at::kBFloat16; }

// A parameter in the type of `x`: 1.13 has no normalisation of 16-bit numbers with weights of 32 on
// the CPU.
inline at::Tensor parameter_like(const at::Tensor& x, const at::Tensor& parameter) {
  return parameter.scalar_type() == x.scalar_type() ? parameter : parameter.to(x.scalar_type());
}

// The numbers of a small tensor, such as time steps or choices, in order.
inline std::vector<double> numbers(const at::Tensor& x) {
  at::Tensor rows = x.contiguous();
  std::vector<double> out(static_cast<size_t>(rows.numel()));
  AT_DISPATCH_ALL_TYPES_AND(at::kBFloat16, rows.scalar_type(), "numbers", [&] {
    const auto* from = rows.data_ptr<scalar_t>();
    for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(from[i]);
  });
  return out;
}

// A new tensor whose element `i`, in order of memory, is `value(i)`: a table that no chain of
// tensor operations makes without memory of its own.
template <class Function>
at::Tensor filled(at::IntArrayRef shape, at::ScalarType type, Function value) {
  at::Tensor made = at::empty(shape, type);
  AT_DISPATCH_ALL_TYPES_AND2(at::kBFloat16, at::kBool, type, "filled", [&] {
    auto* to = made.data_ptr<scalar_t>();
    for (int64_t i = 0; i < made.numel(); ++i) to[i] = static_cast<scalar_t>(value(i));
  });
  return made;
}

// Of a product, a table or a loss, integers[3] says what tensor-parallel ranks send each other.
inline void refuse_exchange(const Call& call) {
  if (call.integer(3) == 0) return;
  throw std::runtime_error(call.node().operation +
                           ": it sends parts to other tensor-parallel ranks, and here each process "
                           "holds the whole model");
}

// One number for each sample, to be spread over what a tensor of that rank has of it.
inline std::vector<int64_t> one_each(const at::Tensor& x) {
  std::vector<int64_t> shape(static_cast<size_t>(x.dim()), 1);
  if (!shape.empty()) shape[0] = x.size(0);
  return shape;
}

}  // namespace dtp::runtime::ops

// Element types of tensors and of arithmetic.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace dtp::graph {

// tf32 is arithmetic only: its tensors are fp32.
enum class DType : uint8_t {
  fp32,
  tf32,
  fp16,
  bf16,
  fp8,
  int8,
  nf4,
  fp64,
  int64,
  int32,
  uint8,
  boolean
};

// Bytes of one element; nf4 is stored two to a byte and counts as 1 here (its sizes are rounded by
// its owner).
int64_t size_of(DType type);
std::string_view name_of(DType type);
std::optional<DType> dtype_of(std::string_view name);

// What the author can say of a tensor's elements: the float type is chosen by the plan's precision.
enum class Element : uint8_t { real, integer, boolean };

}  // namespace dtp::graph

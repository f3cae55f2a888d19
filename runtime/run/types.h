// The types of a config as LibTorch names them.
#pragma once
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config/training_config.h"

namespace dtp::runtime {

// "fp32", "bf16", "fp16"; a validated config has no other.
inline at::ScalarType type_of(const std::string& name) {
  return name == "bf16" ? at::kBFloat16 : name == "fp16" ? at::kHalf : at::kFloat;
}

inline at::ScalarType type_of(Element element, at::ScalarType real) {
  return element == Element::real ? real : element == Element::integer ? at::kLong : at::kBool;
}

inline std::vector<int64_t> sizes_of(const Shape& shape, int64_t batch) {
  std::vector<int64_t> sizes;
  sizes.reserve(shape.size());
  for (const Dim& d : shape) sizes.push_back(d.batch ? d.value * batch : d.value);
  return sizes;
}

}  // namespace dtp::runtime

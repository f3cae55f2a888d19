// Types of values by the names that safetensors gives them.
#pragma once
#include <c10/core/ScalarType.h>

#include <string>

namespace dtp::runtime::store {

inline const char* name_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return "F32";
    case at::kDouble: return "F64";
    case at::kHalf: return "F16";
    case at::kBFloat16: return "BF16";
    case at::kLong: return "I64";
    case at::kInt: return "I32";
    case at::kByte: return "U8";
    case at::kBool: return "BOOL";
    default: return "";
  }
}

}  // namespace dtp::runtime::store

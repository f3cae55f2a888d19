// Small checks that tell the place of what is wrong.
#pragma once
#include <string>

#include "runtime/config/config_error.h"

namespace dtp::runtime {

inline std::string at_index(const std::string& list, size_t i) {
  return list + "[" + std::to_string(i) + "]";
}

inline void check(bool good, const std::string& place, const std::string& what) {
  if (!good) throw ConfigError(place, what);
}

// `kind`: "tensor".
inline void check_index(uint64_t index, size_t size, const std::string& place, const char* kind) {
  if (index < size) return;
  throw ConfigError(place, "there is no " + std::string(kind) + " " + std::to_string(index) +
                               ": there are " + std::to_string(size));
}

}  // namespace dtp::runtime

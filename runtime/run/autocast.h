// LibTorch's autocast of one device: matrix products take the 16-bit type whatever they are given.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace dtp::runtime {

// On while it lives; when the outermost ends, the cached casts of weights go.
class Autocast {
 public:
  Autocast(bool on, at::DeviceType device, at::ScalarType type);
  ~Autocast();
  Autocast(const Autocast&) = delete;

  static bool is_on(at::DeviceType device);

 private:
  bool on_;
  at::DeviceType device_;
  bool was_on_ = false;
  at::ScalarType was_type_ = at::kBFloat16;
};

// Casts made while it lives are not shared. What is made without gradients has no backward step,
// and found in the cache by a later use would cut the weight off from its gradient.
class NoCastCache {
 public:
  NoCastCache();
  ~NoCastCache();
  NoCastCache(const NoCastCache&) = delete;

 private:
  bool was_;
};

}  // namespace dtp::runtime

// Memory of the device that trains: on the host what the counting allocator counts, on CUDA what
// its caching allocator does.
#pragma once
#include <c10/core/Device.h>

#include <cstdint>

namespace dtp::runtime::meter {

class DeviceMemory {
 public:
  explicit DeviceMemory(at::Device device) : device_(device) {}

  int64_t live() const;          // bytes of tensors
  int64_t peak() const;          // since restart_peak
  int64_t restart_peak() const;  // gives what is alive
  int64_t reserved() const;      // by the caching allocator; of the host the same as alive
  int64_t used() const;          // as the driver, or the kernel, counts it for everything
  void synchronize() const;      // until the device has done what it was asked for

 private:
  at::Device device_;
};

}  // namespace dtp::runtime::meter

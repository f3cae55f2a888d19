#include "runtime/meter/device.h"

#include "runtime/meter/counting_allocator.h"
#include "runtime/meter/resident.h"

#ifdef DTP_CUDA
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>
#endif

namespace dtp::runtime::meter {

#ifdef DTP_CUDA
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;
// Of small and large blocks together.
constexpr size_t kAll = 0;

auto stats_of(at::Device device) { return caching::getDeviceStats(device.index()); }

}  // namespace

int64_t DeviceMemory::live() const {
  return device_.is_cpu() ? live_bytes() : stats_of(device_).allocated_bytes[kAll].current;
}
int64_t DeviceMemory::peak() const {
  return device_.is_cpu() ? peak_bytes() : stats_of(device_).allocated_bytes[kAll].peak;
}
int64_t DeviceMemory::restart_peak() const {
  if (device_.is_cpu()) return meter::restart_peak();
  caching::resetPeakStats(device_.index());
  return live();
}
int64_t DeviceMemory::reserved() const {
  return device_.is_cpu() ? live_bytes() : stats_of(device_).reserved_bytes[kAll].current;
}
int64_t DeviceMemory::used() const {
  if (device_.is_cpu()) return resident_bytes();
  size_t free = 0, total = 0;
  return cudaMemGetInfo(&free, &total) == cudaSuccess ? static_cast<int64_t>(total - free) : 0;
}
void DeviceMemory::synchronize() const {
  if (!device_.is_cpu()) c10::cuda::device_synchronize();
}
#else
int64_t DeviceMemory::live() const { return live_bytes(); }
int64_t DeviceMemory::peak() const { return peak_bytes(); }
int64_t DeviceMemory::restart_peak() const { return meter::restart_peak(); }
int64_t DeviceMemory::reserved() const { return live_bytes(); }
int64_t DeviceMemory::used() const { return resident_bytes(); }
void DeviceMemory::synchronize() const {}
#endif

}  // namespace dtp::runtime::meter

#include "runtime/run/autocast.h"

#include <ATen/autocast_mode.h>
#include <torch/version.h>

namespace dtp::runtime {
namespace {

namespace cast = at::autocast;

// From 2.4 on one function serves all devices.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
bool enabled(at::DeviceType d) { return cast::is_autocast_enabled(d); }
void enable(at::DeviceType d, bool on) { cast::set_autocast_enabled(d, on); }
at::ScalarType type(at::DeviceType d) { return cast::get_autocast_dtype(d); }
void set_type(at::DeviceType d, at::ScalarType t) { cast::set_autocast_dtype(d, t); }
#else
bool enabled(at::DeviceType d) {
  return d == at::kCPU ? cast::is_cpu_enabled() : cast::is_enabled();
}
void enable(at::DeviceType d, bool on) {
  d == at::kCPU ? cast::set_cpu_enabled(on) : cast::set_enabled(on);
}
at::ScalarType type(at::DeviceType d) {
  return d == at::kCPU ? cast::get_autocast_cpu_dtype() : cast::get_autocast_gpu_dtype();
}
void set_type(at::DeviceType d, at::ScalarType t) {
  d == at::kCPU ? cast::set_autocast_cpu_dtype(t) : cast::set_autocast_gpu_dtype(t);
}
#endif

}  // namespace

Autocast::Autocast(bool on, at::DeviceType device, at::ScalarType to) : on_(on), device_(device) {
  if (!on_) return;
  was_on_ = enabled(device_);
  was_type_ = type(device_);
  set_type(device_, to);
  enable(device_, true);
  cast::increment_nesting();
}

Autocast::~Autocast() {
  if (!on_) return;
  if (cast::decrement_nesting() == 0) cast::clear_cache();
  enable(device_, was_on_);
  set_type(device_, was_type_);
}

bool Autocast::is_on(at::DeviceType device) { return enabled(device); }

NoCastCache::NoCastCache() : was_(cast::is_autocast_cache_enabled()) {
  cast::set_autocast_cache_enabled(false);
}
NoCastCache::~NoCastCache() { cast::set_autocast_cache_enabled(was_); }

}  // namespace dtp::runtime

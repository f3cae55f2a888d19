#include "runtime/meter/counting_allocator.h"

#include <c10/core/CPUAllocator.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/meter/trace.h"

namespace dtp::runtime::meter {
namespace {

std::atomic<int64_t> live{0}, peak{0};
std::atomic<Trace*> recorder{nullptr};

// Before each block, with room to keep the alignment that vector instructions want.
constexpr size_t kAlignment = 64;

void note(int64_t change) {
  int64_t now = live.fetch_add(change) + change;
  int64_t most = peak.load();
  while (now > most && !peak.compare_exchange_weak(most, now)) {
  }
}

void give_back(void* data) {
  if (!data) return;
  char* block = static_cast<char*>(data) - kAlignment;
  int64_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  note(-bytes);
  if (Trace* trace = recorder.load()) trace->note(data, -bytes);
  std::free(block);
}

// Later versions of LibTorch declare `allocate` without const and ask for `copy_data`: without
// `override` each function overrides whatever is there.
class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) const { return take(bytes); }
  c10::DataPtr allocate(size_t bytes) { return take(bytes); }
  c10::DeleterFnPtr raw_deleter() const { return &give_back; }
  void copy_data(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }

 private:
  static c10::DataPtr take(size_t bytes) {
    if (bytes == 0) return {nullptr, nullptr, &give_back, c10::Device(c10::kCPU)};
    void* block = nullptr;
    if (posix_memalign(&block, kAlignment, bytes + kAlignment) != 0) throw std::bad_alloc();
    auto size = static_cast<int64_t>(bytes);
    std::memcpy(block, &size, sizeof size);
    void* data = static_cast<char*>(block) + kAlignment;
    note(size);
    if (Trace* trace = recorder.load()) trace->note(data, size);
    return {data, data, &give_back, c10::Device(c10::kCPU)};
  }
};

}  // namespace

void install_counting_allocator() {
  // It is never taken down: tensors of other static objects may die after it.
  static auto* allocator = new CountingAllocator;
  c10::SetCPUAllocator(allocator, 255);
}

int64_t live_bytes() { return live; }
int64_t peak_bytes() { return peak; }
int64_t restart_peak() {
  peak = live.load();
  return peak;
}
void record_into(Trace* trace) { recorder = trace; }

}  // namespace dtp::runtime::meter

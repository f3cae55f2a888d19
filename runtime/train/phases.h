// The parts of a step, and what each took in time and memory.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

#include "runtime/meter/device.h"

namespace dtp::runtime::train {

enum class Phase : uint8_t { data, forward, backward, reduce, optimizer };
inline constexpr size_t kPhases = 5;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {"data", "forward", "backward",
                                                                 "reduce", "optimizer"};

// Of one step. A phase that runs several times (accumulation) adds its times up and keeps its
// highest peak. Bytes are of tensors, all that were alive.
struct StepRecord {
  std::array<double, kPhases> seconds{};
  std::array<int64_t, kPhases> peak{};
  double step_seconds = 0;
  // Of the first micro-batch, as a config predicts them.
  int64_t before = 0, saved = 0, after_backward = 0;
  // Of the optimizer alone, above its own start.
  int64_t optimizer_peak = 0;
  int64_t resident = 0, reserved = 0;
};

// Measures one phase while it lives.
class PhaseClock {
 public:
  PhaseClock(const meter::DeviceMemory& memory, StepRecord& record, Phase phase)
      : memory_(memory), record_(record), phase_(static_cast<size_t>(phase)) {
    memory_.restart_peak();
  }
  ~PhaseClock() {
    memory_.synchronize();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
    record_.seconds[phase_] += took.count();
    record_.peak[phase_] = std::max(record_.peak[phase_], memory_.peak());
  }
  PhaseClock(const PhaseClock&) = delete;

 private:
  const meter::DeviceMemory& memory_;
  StepRecord& record_;
  size_t phase_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace dtp::runtime::train

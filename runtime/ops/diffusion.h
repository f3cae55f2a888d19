// The noise schedule of diffusion: beta rises from 1e-4 to 0.02 over 1000 steps (arXiv 2006.11239).
#pragma once
#include <array>
#include <cstddef>

namespace dtp::runtime::ops {

inline constexpr size_t kDiffusionSteps = 1000;

struct NoiseSchedule {
  std::array<double, kDiffusionSteps> beta;  // variance added by each step
  std::array<double, kDiffusionSteps> kept;  // of the signal's variance, after it
};

inline const NoiseSchedule& noise_schedule() {
  static const NoiseSchedule schedule = [] {
    NoiseSchedule s{};
    double kept = 1;
    for (size_t i = 0; i < kDiffusionSteps; ++i) {
      s.beta[i] = 1e-4 + (0.02 - 1e-4) * static_cast<double>(i) / (kDiffusionSteps - 1);
      s.kept[i] = kept *= 1 - s.beta[i];
    }
    return s;
  }();
  return schedule;
}

}  // namespace dtp::runtime::ops

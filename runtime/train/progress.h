// What a person sees of a run: one line that is rewritten on a terminal, now and then a line
// elsewhere.
#pragma once
#include <chrono>
#include <cstdint>

#include "runtime/train/metrics.h"

namespace dtp::runtime::train {

class Progress {
 public:
  // `steps`: of the whole run.
  Progress(int64_t steps, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  void show(const StepOutcome& outcome);

 private:
  using Clock = std::chrono::steady_clock;
  const int64_t steps_;
  const bool quiet_, terminal_;
  double usual_ = 0;  // seconds of a step, the latest weigh most
  bool shown_ = false;
  Clock::time_point last_ = Clock::now();
};

}  // namespace dtp::runtime::train

// measured.json: what the steps of a run took, for those who calibrate predictions. What its
// fields mean is said in runtime/README.md.
#pragma once
#include <cstdint>
#include <deque>
#include <string>

#include "runtime/config/training_config.h"
#include "runtime/train/options.h"
#include "runtime/train/phases.h"

namespace dtp::runtime::train {

class Measurements {
 public:
  // The first step makes the optimizer's states and warms everything up: it is told apart.
  void add(const StepRecord& record);

  struct Run {
    const TrainingConfig& config;
    const Options& options;
    int64_t model_bytes = 0;
    int64_t first_step = 1;  // number of the first step of this process
    int threads = 1, world = 1;
  };
  void write(const std::string& path, const Run& run) const;

 private:
  int64_t steps_ = 0;
  StepRecord first_;
  std::deque<StepRecord> later_;  // the latest of them
};

}  // namespace dtp::runtime::train

// metrics.jsonl: one line of JSON a step.
#pragma once
#include <cstdint>
#include <fstream>
#include <string>

#include "runtime/train/phases.h"

namespace dtp::runtime::train {

struct StepOutcome {
  int64_t step = 0;  // from 1
  double loss = 0, rate = 0;
  StepRecord record;
};

class Metrics {
 public:
  // Goes on after `steps`: lines of later steps, which a run that was killed had written, go.
  Metrics(const std::string& path, int64_t steps);
  void add(const StepOutcome& outcome);

 private:
  std::ofstream file_;
};

}  // namespace dtp::runtime::train

// A run: step after step, with checkpoints, until all are done or a signal asks for an end.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "runtime/config/training_config.h"
#include "runtime/data/source.h"
#include "runtime/meter/device.h"
#include "runtime/parallel/buckets.h"
#include "runtime/parallel/group.h"
#include "runtime/run/executor.h"
#include "runtime/train/checkpoint.h"
#include "runtime/train/measured.h"
#include "runtime/train/metrics.h"
#include "runtime/train/options.h"
#include "runtime/train/progress.h"

namespace dtp::runtime::train {

// Exit statuses, as help() tells them.
enum Status : int { kDone = 0, kFailed = 1, kUnusable = 2, kNoNumber = 3, kStopped = 75 };

class Trainer {
 public:
  // `config` with what the options replace; both outlive it.
  Trainer(const TrainingConfig& config, const Options& options,
          const parallel::Membership& membership, int threads);
  Status run();

 private:
  bool leads() const { return membership_.rank == 0; }
  void begin();
  void resume();
  StepOutcome step();
  double micro_step(StepRecord& record, int64_t pass);
  void update(StepRecord& record, double rate);
  // Whether to go on: the mean loss over the ranks, and whether any of them was asked to stop.
  void agree(double& loss, bool& stop);
  void save();
  void finish();

  const TrainingConfig& config_;
  const Options& options_;
  const parallel::Membership membership_;
  const int threads_;
  const at::Device device_;
  const meter::DeviceMemory memory_;
  std::unique_ptr<parallel::Group> group_;
  const int64_t alive_before_;  // bytes of tensors
  Parameters parameters_;
  const int64_t model_bytes_;
  Executor executor_;
  Optimizer optimizer_;
  std::optional<Average> average_;
  std::optional<parallel::Buckets> buckets_;
  data::Batch batch_;
  std::unique_ptr<data::Source> source_;
  Checkpoints checkpoints_;
  State state_;
  std::optional<Metrics> metrics_;
  Measurements measurements_;
  int64_t first_step_ = 1;
  int64_t saved_step_ = -1;
  bool stop_ = false;
};

}  // namespace dtp::runtime::train

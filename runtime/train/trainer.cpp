#include "runtime/train/trainer.h"

#include <ATen/ATen.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "runtime/meter/resident.h"
#include "runtime/run/random.h"
#include "runtime/train/schedule.h"
#include "runtime/train/signals.h"

namespace dtp::runtime::train {
namespace {

uint64_t seed_of(const TrainingConfig& config) { return static_cast<uint64_t>(config.seed); }

std::unique_ptr<data::Source> source_of(const TrainingConfig& config, const Options& options) {
  if (options.data.empty()) return data::made_up(config.graph, seed_of(config));
  return data::from_folder(config, options.data, seed_of(config));
}

}  // namespace

Trainer::Trainer(const TrainingConfig& config, const Options& options,
                 const parallel::Membership& membership, int threads)
    : config_(config),
      options_(options),
      membership_(membership),
      threads_(threads),
      device_(options.device),
      memory_(device_),
      group_(parallel::join(membership)),
      alive_before_(memory_.live()),
      parameters_(config, device_, seed_of(config)),
      model_bytes_(memory_.live() - alive_before_),
      executor_(config, parameters_, device_),
      optimizer_(config.optimizer, parameters_.trainable()),
      batch_(config, device_),
      source_(source_of(config, options)),
      checkpoints_((std::filesystem::path(options.out) / "checkpoints").string(),
                   config.checkpoint_keep),
      state_{parameters_, optimizer_, nullptr, {0, 0, seed_of(config)}} {
  if (config.ema) state_.average = &average_.emplace(parameters_, *config.ema);
  if (group_)
    buckets_.emplace(parameters_.trainable(), config.first_bucket, config.bucket,
                     config.bucket_views);
}

void Trainer::resume() {
  std::vector<std::string> told;
  checkpoints_.load(state_, told);
  if (leads())
    for (const std::string& line : told) std::fprintf(stderr, "dtp-train: %s\n", line.c_str());
  if (state_.position.step > 0 && state_.position.seed != seed_of(config_))
    throw std::runtime_error("the run began with seed " + std::to_string(state_.position.seed) +
                             ", and this is to go on with " + std::to_string(config_.seed));
  if (leads() && state_.position.step > 0 && !options_.quiet)
    std::printf("goes on after step %lld\n", static_cast<long long>(state_.position.step));
}

// All ranks start as rank 0 does.
void Trainer::begin() {
  if (options_.resume)
    resume();
  else if (checkpoints_.any())
    throw std::runtime_error(options_.out +
                             " holds checkpoints of an earlier run: --resume goes on with it");
  if (leads()) {
    std::filesystem::create_directories(options_.out);
    checkpoints_.sweep();
    metrics_.emplace((std::filesystem::path(options_.out) / "metrics.jsonl").string(),
                     state_.position.step);
  }
  saved_step_ = state_.position.step > 0 ? state_.position.step : -1;
  first_step_ = state_.position.step + 1;
  if (!group_) return;
  at::NoGradGuard guard;
  at::Tensor steps = at::full({1}, state_.position.step, at::kLong);
  group_->broadcast(steps);
  if (steps.item<int64_t>() != state_.position.step)
    throw std::runtime_error("rank 0 goes on after step " + std::to_string(steps.item<int64_t>()) +
                             ", and rank " + std::to_string(membership_.rank) + " after step " +
                             std::to_string(state_.position.step) +
                             ": they do not see the same folder");
  for (const ParameterCopy& p : parameters_.all()) group_->broadcast(p.value.detach());
}

// Forward and backward of one micro-batch; the loss.
double Trainer::micro_step(StepRecord& record, int64_t pass) {
  const bool first = pass == 0;
  {
    PhaseClock clock(memory_, record, Phase::data);
    int64_t number = state_.position.samples +
                     (pass * membership_.world + membership_.rank) * config_.micro_batch;
    batch_.fill(*source_, number);
  }
  const int64_t start = memory_.live();
  if (first) record.before = start - alive_before_;
  at::Tensor loss;
  {
    PhaseClock clock(memory_, record, Phase::forward);
    loss = executor_.forward(batch_.inputs());
  }
  if (first) record.saved = memory_.live() - start;
  {
    PhaseClock clock(memory_, record, Phase::backward);
    executor_.backward(loss, 1.0 / static_cast<double>(config_.accumulation));
  }
  if (first) record.after_backward = memory_.live() - start;
  auto value = loss.item<double>();
  loss.reset();
  executor_.end_pass();
  return value;
}

void Trainer::update(StepRecord& record, double rate) {
  if (group_) {
    PhaseClock clock(memory_, record, Phase::reduce);
    buckets_->reduce(*group_, membership_.world);
  }
  PhaseClock clock(memory_, record, Phase::optimizer);
  if (config_.clip) clip_gradients(optimizer_.parameters(), *config_.clip);
  const int64_t before_clip = memory_.peak(), start = memory_.restart_peak();
  optimizer_.step(rate);
  record.optimizer_peak = memory_.peak() - start;
  record.peak[static_cast<size_t>(Phase::optimizer)] = before_clip;
  if (average_) average_->update(parameters_);
  optimizer_.clear_gradients(config_.zero_grad_frees);
}

void Trainer::agree(double& loss, bool& stop) {
  if (!group_) return;
  at::Tensor both = at::tensor({loss, stop ? 1.0 : 0.0}, at::kDouble);
  group_->sum(both)();
  loss = both[0].item<double>() / membership_.world;
  stop = both[1].item<double>() > 0;
}

StepOutcome Trainer::step() {
  StepOutcome outcome;
  Position& position = state_.position;
  outcome.step = position.step + 1;
  outcome.rate = config_.optimizer.lr * rate_at(config_.schedule, position.step, config_.steps);
  auto start = std::chrono::steady_clock::now();
  at::Generator generator = at::globalContext().defaultGenerator(device_);
  generator.set_current_seed(seed_for({position.seed, static_cast<uint64_t>(position.step),
                                       static_cast<uint64_t>(membership_.rank)}));
  for (int64_t pass = 0; pass < config_.accumulation; ++pass)
    outcome.loss += micro_step(outcome.record, pass) / static_cast<double>(config_.accumulation);
  stop_ = asked_to_stop();
  agree(outcome.loss, stop_);
  if (!std::isfinite(outcome.loss)) return outcome;
  update(outcome.record, outcome.rate);
  position.samples += config_.accumulation * membership_.world * config_.micro_batch;
  ++position.step;
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  outcome.record.step_seconds = took.count();
  outcome.record.resident = meter::resident_bytes();
  outcome.record.reserved = memory_.reserved();
  return outcome;
}

void Trainer::save() {
  if (saved_step_ == state_.position.step) return;
  if (leads()) checkpoints_.save(state_);
  saved_step_ = state_.position.step;
}

void Trainer::finish() {
  if (!leads()) return;
  if (!options_.measure.empty())
    measurements_.write(options_.measure, {config_, options_, model_bytes_, first_step_, threads_,
                                           membership_.world});
  if (stop_) return;
  std::filesystem::path out(options_.out);
  write_model((out / "model.safetensors").string(), state_);
  if (average_) write_average((out / "average.safetensors").string(), state_);
}

Status Trainer::run() {
  begin();
  {
    Progress progress(config_.steps, options_.quiet || !leads());
    while (state_.position.step < config_.steps && !stop_) {
      StepOutcome outcome = step();
      if (!std::isfinite(outcome.loss)) {
        if (leads())
          std::fprintf(stderr, "dtp-train: the loss of step %lld is %g: nothing is changed by it\n",
                       static_cast<long long>(outcome.step), outcome.loss);
        return kNoNumber;
      }
      measurements_.add(outcome.record);
      if (metrics_) metrics_->add(outcome);
      progress.show(outcome);
      int64_t every = config_.checkpoint_every;
      if (every > 0 && state_.position.step % every == 0) save();
    }
  }
  save();
  stop_ = stop_ && state_.position.step < config_.steps;
  finish();
  if (stop_ && leads() && !options_.quiet)
    std::printf("stopped by a signal after step %lld, which is saved\n",
                static_cast<long long>(state_.position.step));
  return stop_ ? kStopped : kDone;
}

}  // namespace dtp::runtime::train

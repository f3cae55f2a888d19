#include "runtime/prove/measure.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>

#include "runtime/data/source.h"
#include "runtime/meter/counting_allocator.h"
#include "runtime/meter/resident.h"
#include "runtime/run/executor.h"
#include "runtime/train/average.h"
#include "runtime/train/optimizer.h"

namespace dtp::runtime::prove {
namespace {

// Where the parts of a traced pass end.
struct Ends {
  size_t forward = 0, backward = 0, release = 0;
};

class Run {
 public:
  explicit Run(const TrainingConfig& config)
      : config_(config),
        start_(meter::live_bytes()),
        parameters_(config, at::kCPU, static_cast<uint64_t>(config.seed)) {
    measured_.numbers.model = meter::live_bytes() - start_;
    executor_.emplace(config_, parameters_, at::kCPU);
    optimizer_.emplace(config_.optimizer, parameters_.trainable());
    if (config_.ema) average_.emplace(parameters_, *config_.ema);
    batch_.emplace(config_, at::kCPU);
    source_ = data::made_up(config_.graph, static_cast<uint64_t>(config_.seed));
  }

  Measured both_steps() {
    measured_.numbers.first_step_peak = step(nullptr, nullptr);
    measured_.numbers.before = meter::live_bytes() - start_;
    executor_->label_backward(true);
    Ends ends;
    {
      meter::Trace trace(executor_->labels());
      measured_.numbers.step_peak = step(&trace, &ends);
      summarize(trace, ends);
    }
    measured_.resident = meter::resident_bytes();
    return std::move(measured_);
  }

 private:
  // The peak of the optimizer's step.
  int64_t step(meter::Trace* trace, Ends* ends) {
    batch_->fill(*source_, 0);
    const size_t begin = trace ? trace->size() : 0;
    begin_ = begin;
    at::Tensor loss = executor_->forward(batch_->inputs());
    if (trace) ends->forward = trace->size();
    executor_->backward(loss);
    if (trace) ends->backward = trace->size();
    loss.reset();
    executor_->end_pass();
    if (trace) ends->release = trace->size();
    int64_t live = meter::restart_peak();
    optimizer_->step(config_.optimizer.lr);
    int64_t peak = meter::peak_bytes() - live;
    if (average_) average_->update(parameters_);
    optimizer_->clear_gradients(config_.zero_grad_frees);
    return peak;
  }

  void summarize(const meter::Trace& trace, const Ends& ends) {
    const std::vector<meter::Traced>& events = trace.events();
    Numbers& n = measured_.numbers;
    meter::Height forward = meter::height_of(events, begin_, ends.forward, false);
    meter::Height all = meter::height_of(events, begin_, ends.backward, false);
    n.forward_peak = forward.peak;
    n.saved = forward.end;
    n.after_backward = all.end;
    n.backward_peak =
        forward.end + meter::height_of(events, ends.forward, ends.backward, false).peak;
    measured_.scratch = meter::height_of(events, begin_, ends.backward, true).peak - all.peak;
    measured_.forward = spelled(trace, begin_, ends.forward);
    measured_.backward = spelled(trace, ends.forward, ends.backward);
    measured_.release = spelled(trace, ends.backward, ends.release);
  }

  std::vector<Happened> spelled(const meter::Trace& trace, size_t begin, size_t end) const {
    std::vector<Happened> all;
    for (size_t i = begin; i < end; ++i) {
      const meter::Traced& e = trace.events()[i];
      if (e.scratch) continue;
      std::string by = meter::spell_label(config_.graph, e.label);
      if (e.function != 0) by += " (" + trace.function(e.function) + ")";
      all.push_back({e.bytes, std::move(by)});
    }
    return all;
  }

  const TrainingConfig& config_;
  Measured measured_;
  const int64_t start_;
  Parameters parameters_;
  std::optional<Executor> executor_;
  std::optional<train::Optimizer> optimizer_;
  std::optional<train::Average> average_;
  std::optional<data::Batch> batch_;
  std::unique_ptr<data::Source> source_;
  size_t begin_ = 0;
};

}  // namespace

const std::vector<NumberField>& number_fields() {
  static const std::vector<NumberField> fields = {
      {"model", &Numbers::model, &Predicted::model},
      {"before", &Numbers::before, &Predicted::before},
      {"forward", &Numbers::forward_peak, &Predicted::forward_peak},
      {"saved", &Numbers::saved, &Predicted::saved},
      {"backward", &Numbers::backward_peak, &Predicted::backward_peak},
      {"after", &Numbers::after_backward, &Predicted::after_backward},
      {"first step", &Numbers::first_step_peak, &Predicted::first_step_peak},
      {"step", &Numbers::step_peak, &Predicted::step_peak}};
  return fields;
}

Measured measure(const TrainingConfig& config) { return Run(config).both_steps(); }

}  // namespace dtp::runtime::prove

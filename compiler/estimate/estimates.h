// What a plan will take: memory, time, money, energy, storage. Intervals, each with where it comes
// from.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/interval.h"
#include "graph/graph.h"
#include "plan/settings.h"
#include "step/pass.h"

namespace dtp::estimate {

using plan::Estimate;

enum class Phase : uint8_t { forward, backward, first_step, step };
inline constexpr int kPhases = 4;
std::string_view name_of(Phase phase);
std::string_view words(Phase phase);  // "in the optimizer's first step"
inline bool is_pass(Phase phase) { return phase == Phase::forward || phase == Phase::backward; }

// Bytes of one device. The terms are those at the moment of the peak and sum to it; `allocated` is
// the part of it that the framework's allocator hands out (tensors, buckets, workspaces).
struct Memory {
  Estimate peak;
  Estimate parameters, gradients, optimizer, ema, activations, temporaries;
  Estimate buffers, communication, frozen, context, fragmentation;
  Estimate allocated;
  Phase peak_phase = Phase::backward;
  Interval phases[kPhases];  // the whole device, by phase

  // The tensors alone, exact for the framework's rules: above what was alive before the pass, in
  // the order of a step.
  struct Exact {
    Int128 before = 0;  // parameters, optimizer states, EMA, inputs (from the second step on)
    Int128 forward_peak = 0, saved = 0, backward_peak = 0, after_backward = 0;
    Int128 first_step_peak = 0, step_peak = 0;  // of the optimizer, above what was alive then
  } exact;
};

// Seconds. What is not estimated (waiting for input, memory of the host) has no place here, so that
// no zero stands for it. Everything but total, epoch and checkpoint is of one optimizer step.
struct Time {
  Estimate step;
  Estimate forward, backward, recompute, optimizer;
  Estimate communication, exposed_communication, bubble;
  Estimate checkpoint, epoch;
  Estimate total;  // of the plan; of one step where its length is not known
};

struct Throughput {
  Estimate samples;        // a second, all devices
  Estimate tokens;         // a second; 0 where the data has no sequence
  Estimate flops_per_gpu;  // FLOP/s of the model's own arithmetic
};
struct Utilization {
  Estimate mfu, hfu;  // model arithmetic over peak; with recomputation counted
};
struct Cost {
  Estimate total, per_step;  // in `currency`; both 0 where no price is known
  std::string currency;
  unsigned dimension = 0;
};
struct Energy {
  Estimate total;  // joules
};
struct Storage {
  Estimate checkpoint, dataset;  // bytes
};
struct Network {
  Estimate per_step;  // bytes that one device sends in a step
};

struct Estimates {
  Memory memory;
  Time time;
  Throughput throughput;
  Utilization utilization;
  Cost cost;
  Energy energy;
  Storage storage;
  Network network;
  std::string length_unknown;  // why there is no total; empty: there is
};

class WorkList;

// Estimates of one graph under changing settings: schedules are kept and looked up again (a change
// of batch or accumulation costs microseconds).
class Estimator {
 public:
  explicit Estimator(const graph::Graph& graph);
  ~Estimator();
  Estimator(Estimator&&) noexcept;

  Estimates estimate(const plan::Settings& settings);
  // All but the memory, which does not depend on how long a plan runs.
  void estimate_run(const plan::Settings& settings, Estimates& e);
  Memory memory(const plan::Settings& settings);
  Time time(const plan::Settings& settings);
  const step::Pass& pass(const step::PassOptions& options);
  const graph::Graph& graph() const { return *graph_; }

 private:
  const graph::Graph* graph_;
  std::vector<std::pair<step::PassOptions, std::unique_ptr<step::Pass>>> passes_;
  std::unique_ptr<WorkList> work_;
};

Estimates estimate(const graph::Graph& graph, const plan::Settings& settings);

// Multiply-accumulates of one sample's forward pass, matrix products alone: what papers call FLOPs
// of a model.
double forward_macs(const graph::Graph& graph);

// What the peak consists of, by name, in the order above; terms of zero are left out.
std::vector<std::pair<std::string, Estimate>> terms_at_peak(const Memory& memory);

// One part of what is alive at the peak of a phase, beside what is always there.
struct LivePart {
  std::string what;       // "activation", "gradient", "exp_avg"
  std::string layer;      // "blocks.{i}.attn.qkv"; empty: none of its own
  std::string operation;  // "linear", "linear, backward", "adamw"
  Int128 bytes = 0;
};
// At the peak of the phase, largest first.
std::vector<LivePart> live_at_peak(Estimator& estimator, const plan::Settings& settings,
                                   Phase phase);

std::string to_text(const Estimates& estimates);  // --dump=estimates

}  // namespace dtp::estimate

#include "estimate/estimates.h"

#include <algorithm>

#include "estimate/memory.h"
#include "estimate/peak_live.h"
#include "estimate/time.h"
#include "step/settings_options.h"

namespace dtp::estimate {

Estimator::Estimator(const graph::Graph& graph) : graph_(&graph) {}
Estimator::~Estimator() = default;
Estimator::Estimator(Estimator&&) noexcept = default;

const step::Pass& Estimator::pass(const step::PassOptions& options) {
  for (const auto& [known, pass] : passes_)
    if (known == options) return *pass;
  passes_.emplace_back(options, std::make_unique<step::Pass>(step::make_pass(*graph_, options)));
  return *passes_.back().second;
}

Memory Estimator::memory(const plan::Settings& settings) {
  return estimate_memory(*this, settings);
}

Time Estimator::time(const plan::Settings& settings) {
  if (!work_) work_ = std::make_unique<WorkList>(*graph_);
  return estimate_time(*graph_, *work_, settings).time;
}

Estimates Estimator::estimate(const plan::Settings& settings) {
  if (!work_) work_ = std::make_unique<WorkList>(*graph_);
  Estimates e;
  e.memory = memory(settings);
  TimeResult time = estimate_time(*graph_, *work_, settings);
  e.time = time.time;
  e.throughput = time.throughput;
  e.utilization = time.utilization;
  e.network = time.network;
  e.cost = estimate_cost(settings, e.time);
  e.energy = estimate_energy(settings, e.time);
  e.storage = estimate_storage(*graph_, settings);
  return e;
}

Estimates estimate(const graph::Graph& graph, const plan::Settings& settings) {
  return Estimator(graph).estimate(settings);
}

double forward_macs(const graph::Graph& graph) {
  double macs = 0;
  WorkList work(graph);
  for (const WorkItem& item : work.items()) macs += item.times * item.cost.macs.at(1);
  return macs;
}

std::vector<LivePart> live_at_peak(Estimator& estimator, const plan::Settings& settings,
                                   Phase phase) {
  bool accumulates = settings.batch.accumulation > 1;
  const step::Pass& pass = estimator.pass(step::pass_options(settings, accumulates));
  auto round = static_cast<int64_t>(settings.framework.allocator_round);
  int64_t batch = settings.batch.micro;
  std::vector<Int128> live;
  if (phase == Phase::forward) {
    add_live_at_peak(pass, pass.forward, batch, round, live);
  } else {
    add_live_at_end(pass, pass.forward, batch, round, live);
    add_live_at_peak(pass, pass.backward, batch, round, live);
  }
  std::vector<LivePart> parts;
  for (size_t i = 0; i < live.size(); ++i) {
    if (live[i] <= 0) continue;
    const step::Label& label = pass.labels[i / step::kCategories];
    parts.push_back({estimator.graph().path(label.path), label.operation, label.backward,
                     static_cast<step::Category>(i % step::kCategories), live[i]});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return parts;
}

}  // namespace dtp::estimate

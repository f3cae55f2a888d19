#include "estimate/estimates.h"

#include "estimate/memory.h"
#include "estimate/time.h"

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
  Estimates e;
  e.memory = memory(settings);
  estimate_run(settings, e);
  return e;
}

void Estimator::estimate_run(const plan::Settings& settings, Estimates& e) {
  if (!work_) work_ = std::make_unique<WorkList>(*graph_);
  e.length_unknown = settings.length_unknown;
  TimeResult time = estimate_time(*graph_, *work_, settings);
  e.time = time.time;
  e.throughput = time.throughput;
  e.utilization = time.utilization;
  e.network = time.network;
  e.cost = estimate_cost(settings, e.time);
  e.energy = estimate_energy(settings, e.time);
  e.storage = estimate_storage(*graph_, settings);
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

}  // namespace dtp::estimate

// The time of a step, and of the whole plan.
#pragma once
#include "estimate/estimates.h"
#include "estimate/work_list.h"

namespace dtp::estimate {

struct TimeResult {
  Time time;
  Throughput throughput;
  Utilization utilization;
  Network network;
};
TimeResult estimate_time(const graph::Graph& graph, const WorkList& work,
                         const plan::Settings& settings);

Cost estimate_cost(const plan::Settings& settings, const Time& time);
Energy estimate_energy(const plan::Settings& settings, const Time& time);
Storage estimate_storage(const graph::Graph& graph, const plan::Settings& settings);

}  // namespace dtp::estimate

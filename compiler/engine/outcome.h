// What one plan comes to: its settings, its graph, and what they cost.
#pragma once
#include <memory>
#include <optional>

#include "estimate/estimates.h"
#include "graph/graph.h"
#include "model/tensor_parallel.h"
#include "plan/settings.h"
#include "units/dimension.h"

namespace dtp::engine {

struct ModelFacts {
  Int128 parameters = 0;  // saved in the state dict, trained or not
  Int128 trainable = 0;
  double forward_macs = 0;  // multiply-accumulates of one sample's forward pass; 1 MAC is 2 FLOP
  // What owns parameters, by its published name: "blocks.{i}.attn.qkv". In the order of the model.
  std::vector<std::string> parts;
  // Sizes that only data gives, such as "T"; a plan's own facts are those with its data.
  std::string open_sizes;
};

// One figure of a trial run beside what was estimated of the plan that ran.
struct Comparison {
  std::string path;   // "time.step"
  std::string trial;  // "500 steps on node a17, 2026-11-28"
  Interval measured;  // in base units
  estimate::Estimate estimated;
  units::Dimension dimension;
  bool inside = false;  // the measured value lies in the interval
  bool used = false;    // it takes the place of the estimate
};

// A graph with the schedules that were made of it. A plan shares it with those that only ask what
// another setting would bring.
struct Built {
  Built(graph::Graph g, graph::Adaptation as, model::TensorParallel of)
      : graph(std::move(g)), adaptation(std::move(as)), group(of), estimator(graph) {}
  Built(const Built&) = delete;
  Built& operator=(const Built&) = delete;
  const graph::Graph graph;
  const graph::Adaptation adaptation;  // of the plan's model
  const model::TensorParallel group;   // one rank of it has this graph
  estimate::Estimator estimator;
};

struct Outcome {
  plan::Settings settings;
  std::shared_ptr<Built> built;
  const graph::Graph& graph() const { return built->graph; }
  ModelFacts model;
  estimate::Estimates estimates;
  std::vector<Comparison> comparisons;  // of the plan's `calibration`
  // Where something measured took the place of an estimate: what there was before.
  std::optional<estimate::Estimates> uncalibrated;
  const estimate::Estimates& estimated_alone() const {
    return uncalibrated ? *uncalibrated : estimates;
  }
};

}  // namespace dtp::engine

// What one plan comes to: its settings, its graph, and what they cost.
#pragma once
#include "estimate/estimates.h"
#include "graph/graph.h"
#include "plan/settings.h"

namespace dtp::engine {

struct ModelFacts {
  Int128 parameters = 0;  // saved in the state dict, trained or not
  Int128 trainable = 0;
  double forward_macs = 0;  // multiply-accumulates of one sample's forward pass; 1 MAC is 2 FLOP
  // Sizes that only data gives, such as "T"; a plan's own facts are those with its data.
  std::string open_sizes;
};

struct Outcome {
  plan::Settings settings;
  graph::Graph graph;
  ModelFacts model;
  estimate::Estimates estimates;
};

}  // namespace dtp::engine

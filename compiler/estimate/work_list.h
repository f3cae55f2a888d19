// The operations of a step with their arithmetic and traffic, once each with how often they run.
// Repeats stay folded.
#pragma once
#include <vector>

#include "graph/graph.h"
#include "ops/cost.h"

namespace dtp::estimate {

struct WorkItem {
  ops::Cost cost;
  double times = 1;              // iterations of the repeats around it
  bool recomputable = false;     // inside a repeat that may be recomputed
  bool input_gradient = false;   // some input needs a gradient
  bool weight_gradient = false;  // some parameter of it is trained
};

class WorkList {
 public:
  explicit WorkList(const graph::Graph& graph);
  const std::vector<WorkItem>& items() const { return items_; }

 private:
  std::vector<WorkItem> items_;
};

}  // namespace dtp::estimate

// Below what the whole numbers of a graph must lie, so that made-up data can be trained on.
#pragma once
#include <vector>

#include "graph/graph.h"

namespace dtp::emit {

class IndexBounds {
 public:
  explicit IndexBounds(const graph::Graph& graph);
  // 2 where nothing looks a tensor's numbers up: they are flags then, or unread.
  int64_t below(graph::TensorId tensor) const;

 private:
  void bound(uint32_t tensor, int64_t below);
  const graph::Graph& graph_;
  std::vector<int64_t> below_;  // by tensor; 0: no bound
};

}  // namespace dtp::emit

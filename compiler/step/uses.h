// How often each tensor is used in a region, so that a local dies at its last use.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace dtp::step {

struct RegionUses {
  struct Use {
    uint32_t tensor;
    uint32_t times;
  };
  std::vector<Use> uses;           // of tensors made in the region, handed to it, or captured
  std::vector<uint32_t> captured;  // those made outside it and not handed to it
};

// By region: filled for the root and for bodies of repeats. What a no-gradient region uses counts
// where it stands. Calls nested up to `calls_keep_arguments` deep use their arguments once more
// when they return.
std::vector<RegionUses> count_uses(const graph::Graph& graph, int calls_keep_arguments);

}  // namespace dtp::step

// What a plan says of the parts of its model: which are trained, how they lie in memory, and which
// have adapters.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace dtp::graph {

// LoRA (arXiv 2106.09685): beside a product W x the sum of alpha / rank * B (A x), where A and B
// alone are trained.
struct Adapter {
  int64_t rank = 0;
  double alpha = 0;
  double dropout = 0;
  bool in_fp32 = true;               // A and B; what comes in is cast to it
  std::vector<std::string> targets;  // the last words of the names of products; "*": all
  friend bool operator==(const Adapter&, const Adapter&) = default;
};

// What holds of the parts whose names match a pattern.
struct PartForm {
  std::string pattern;  // `*` stands for any text
  std::optional<bool> trained;
  std::optional<DType> stored;
  Blocks blocks;             // where it is stored as numbers of few bits
  std::optional<double> lr;  // where it is not the plan's: it changes no estimate
  friend bool operator==(const PartForm&, const PartForm&) = default;
};

struct Adaptation {
  std::optional<Adapter> adapter;
  std::vector<PartForm> parts;  // a later one wins
  bool empty() const { return !adapter && parts.empty(); }
  friend bool operator==(const Adaptation&, const Adaptation&) = default;
};

}  // namespace dtp::graph

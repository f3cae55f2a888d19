// A graph as one rank of a tensor-parallel group has it: tensors and parameters divided as the
// model's `shard` says, with what the ranks send each other between them.
#pragma once
#include <optional>
#include <string>

#include "graph/graph.h"

namespace dtp::model {

struct TensorParallel {
  int ranks = 1;
  bool sequence = false;   // what is not divided otherwise is divided along the sequence
  bool regathers = false;  // products keep their part of a gathered sequence, and gather it again
  friend bool operator==(const TensorParallel&, const TensorParallel&) = default;
};

// A size that does not divide over the ranks.
struct Undivided {
  std::string what;  // "`split_heads` makes [B, 8, T, 128]"
  int64_t size = 0;
  Span span;
};

// Divides the graph; stops at the first size that does not divide.
std::optional<Undivided> divide(graph::Graph& graph, const TensorParallel& parallel);

// Whether some part of the model says how it is divided, and whether some is one of many experts.
bool says_shard(const graph::Graph& graph);
bool has_experts(const graph::Graph& graph);

}  // namespace dtp::model

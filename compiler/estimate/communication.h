// What the ranks of a plan send each other in a step, and how much of it the passes hide.
#pragma once
#include <string>

#include "graph/graph.h"
#include "plan/settings.h"
#include "step/static_memory.h"

namespace dtp::estimate {

// What one pass sends inside a tensor-parallel group: elements, each counted as often as they go
// round the ring, in how many messages, and how often these go round it.
struct Exchange {
  double elements = 0;
  double messages = 0;
  double rounds = 0;
};

struct Passes {  // of one micro-batch
  Interval forward, backward;
  Exchange forward_exchange, backward_exchange;
};

struct Communication {
  Interval total, exposed;  // seconds of a step
  double bytes = 0;         // that one device sends in a step
  std::string why = "one rank", bytes_why = "one rank";
  std::string exposed_why = "what the last backward pass does not hide";
};

Communication communication(const graph::Graph& graph, const plan::Settings& settings,
                            const step::StaticMemory& memory, const Passes& passes);

}  // namespace dtp::estimate

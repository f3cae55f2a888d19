// What decides the events of a pass beside the graph.
#pragma once
#include "graph/dtype.h"
#include "ops/mechanisms.h"

namespace dtp::step {

struct PassOptions {
  ops::Mechanisms mechanisms;
  graph::DType parameters =
      graph::DType::fp32;  // stored type of trained parameters, and of what the author calls real
  graph::DType frozen = graph::DType::fp32;   // stored type of frozen parts
  graph::DType compute = graph::DType::fp32;  // 16-bit type of matrix products under autocast
  bool autocast = false;
  bool cast_cache = true;        // one 16-bit copy of a weight for all its uses in a forward pass
  bool single_sample = false;    // B = 1: some reshapes are views then
  bool recompute = false;        // repeats that allow it are recomputed
  bool gradients_exist = false;  // a later micro-batch adds to the gradients of the first
  bool folded = true;            // false: every iteration is walked (for tests)

  friend bool operator==(const PassOptions&, const PassOptions&) = default;
};

}  // namespace dtp::step

// What decides the events of a pass beside the graph.
#pragma once
#include <string>
#include <vector>

#include "graph/dtype.h"
#include "ops/mechanisms.h"
#include "step/cut.h"

namespace dtp::step {

// When the gradient that a pass made of a parameter is given back.
enum class GradientsGo : uint8_t {
  never,      // the optimizer's step finds it
  at_step,    // the optimizer steps on it as it comes
  with_unit,  // reduced and spread as the last one of a unit has come (FSDP)
  at_once     // it is copied or added to a buffer as it comes (ZeRO-2 and 3, Megatron)
};

// How FSDP gathers and reduces the units of a model.
struct Gathering {
  std::vector<std::string> wrap;  // the patterns of units (plan/wrap.h); empty: nothing is gathered
  Cut cut;
  int replicas = 1;
  int ahead = 1;       // units that are gathered ahead in the backward pass
  bool stays = false;  // from the forward to the backward pass
  graph::DType gathered = graph::DType::fp32, reduced = graph::DType::fp32;
  bool casts = false;  // a rank's share is cast before it is gathered

  friend bool operator==(const Gathering&, const Gathering&) = default;
};

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
  GradientsGo gradients_go = GradientsGo::never;
  Gathering gathering;
  // Where the optimizer steps in the backward pass: what each step takes, by trained parameter.
  std::vector<int64_t> steps;
  bool folded = true;  // false: every iteration is walked (for tests)

  friend bool operator==(const PassOptions&, const PassOptions&) = default;
};

}  // namespace dtp::step

// What of a model one rank keeps where data parallelism spreads it (ZeRO, FSDP, Megatron's
// distributed optimizer), and the buffers through which it is gathered and reduced.
#pragma once
#include "step/static_memory.h"

namespace dtp::step {

// Whether the rank keeps less than the whole of something, or keeps it in one flat buffer.
bool is_spread(const plan::Spread& spread);

// As static_memory, of the rank that holds most.
StaticMemory spread_memory(const graph::Graph& graph, const plan::Settings& settings);

// The parameters that are gathered and reduced together (plan/wrap.h), in elements with what fills
// them up. Those of the root go first, and stay to the end of the backward pass.
struct Parts {
  Int128 root = 0;
  Int128 first = 0;    // the unit that works first
  Int128 largest = 0;  // of the units
  Int128 all = 0;      // of all units together
  Int128 count = 0;    // of units
  Int128 elements() const { return root + all; }
};
Parts parts_of(const graph::Graph& graph, const plan::Settings& settings);

// Buffers of gathers and reductions, bytes of one device, by when they are alive. Those of FSDP are
// in the schedule of a pass (step/gatherer.h).
struct SpreadBuffers {
  Int128 always = 0;
  Int128 forward = 0;   // beside the activations of the forward pass
  Int128 backward = 0;  // beside those of the backward pass
  Int128 end = 0;       // after them
  Int128 step = 0;      // while the optimizer works
};
SpreadBuffers spread_buffers(const graph::Graph& graph, const plan::Settings& settings);

// ZeRO-3 keeps as many elements gathered at most: what will be used again within that distance is
// not let go (stage3_max_live_parameters, stage3_max_reuse_distance:
// deepspeed/runtime/zero/config).
inline constexpr Int128 kMostLiveInZero3 = 1'000'000'000;

}  // namespace dtp::step

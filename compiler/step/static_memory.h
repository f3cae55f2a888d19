// Memory that outlives a pass: parameters, gradients between passes, optimizer states, EMA, inputs;
// and what the optimizer's own step takes. Bytes of one device, exact, each tensor rounded as the
// allocator rounds.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "plan/settings.h"

namespace dtp::step {

struct StaticMemory {
  Int128 trained = 0;           // parameters that are trained
  Int128 frozen = 0;            // saved tensors that are not
  Int128 beside = 0;            // of these: no checkpoint of the run holds them
  Int128 buffers = 0;           // not even saved
  Int128 master = 0;            // second copy of trained parameters
  Int128 gradients = 0;         // of all trained parameters
  Int128 gradient_surplus = 0;  // by which they are larger than a pass makes them (another type)
  Int128 optimizer = 0;         // states on the device
  Int128 optimizer_paged = 0;   // states in managed memory
  Int128 ema = 0;
  Int128 inputs = 0;           // of one micro-batch
  Int128 largest_trained = 0;  // bytes of the largest trained tensor
  Int128 tensors = 0;          // number of trained tensors
};

StaticMemory static_memory(const graph::Graph& graph, const plan::Settings& settings);
// As if nothing were spread or divided: what a checkpoint holds.
StaticMemory whole_memory(const graph::Graph& graph, const plan::Settings& settings);

// The type in which a parameter lies in memory.
graph::DType stored_type(const graph::Parameter& parameter, const plan::Precision& precision);

// A product that stays below 2^120.
Int128 saturating_product(Int128 a, Int128 b);

// What the optimizer's step finds of one trained parameter and of its copies.
struct ParameterMemory {
  const graph::Parameter* parameter;
  Int128 gradients = 0;
  std::vector<std::pair<std::string, Int128>> states;  // on the device, by name
};
std::vector<ParameterMemory> parameter_memory(const graph::Graph& graph,
                                              const plan::Settings& settings);

// The optimizer's step above what is alive when it starts.
struct OptimizerStep {
  Int128 first = 0;  // states are made in it
  Int128 later = 0;
};
OptimizerStep optimizer_step(const graph::Graph& graph, const plan::Settings& settings,
                             const StaticMemory& memory);

// One trained tensor, `count` copies in a row with those of the same group between them.
struct ParameterRun {
  Int128 bytes = 0;
  Int128 count = 1;
  uint32_t group = 0;  // tensors of one group repeat together
};
// LibTorch's C++ AdamW makes states tensor by tensor in its first step. The peak is at the tensor i
// where 2 * (bytes of all up to i) + 2 * (bytes of i) + 12 is largest.
Int128 first_adamw_step(std::span<const ParameterRun> parameters);

}  // namespace dtp::step

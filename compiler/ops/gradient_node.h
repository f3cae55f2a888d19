// A backward step waiting to run, and where its results go.
#pragma once
#include <vector>

#include "ops/tape.h"

namespace dtp::ops {

// Where a gradient goes: an output slot of the node that made a tensor. No node: nowhere.
struct GradientEdge {
  GradientNode* node = nullptr;
  uint32_t slot = 0;
  Shape shape;  // of the tensor: the gradient is summed to it, and cast to its type
  DType type = DType::fp32;
};

struct GradientNode {
  Backward backward;
  std::vector<Value> saved;  // until it has run
  std::vector<Value> kept;   // until the whole graph of nodes goes
  TensorRecord* leaf =
      nullptr;  // this step only keeps the gradient of that leaf, which `kept` holds
  std::vector<GradientEdge> edges;  // by input of the forward step
  std::vector<Value> arrived;       // by output: the gradients so far
  uint64_t sequence = 0;            // the latest made runs first
  uint32_t references = 0;
  uint32_t outputs = 1;
  uint32_t iteration = 0;  // of a repeat: see step/trace.h
  uint32_t label = 0;
  uint32_t waiting = 0;  // gradients still to come
  uint32_t visit = 0;
};

}  // namespace dtp::ops

// How a group of tensor-parallel ranks shares the work of a node: along which axis each tensor is
// divided, and what is sent. Each operation says it of itself; one that says nothing works on whole
// tensors, on every rank alike.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.h"
#include "ops/cost.h"

namespace dtp::ops {

inline constexpr int kWhole = -1;

// What a product, a table or a loss sends (Megatron-LM, core/tensor_parallel/mappings.py and
// layers.py; arXiv 1909.08053 and 2205.05198). In attributes.integers[3] of the node.
enum class Exchange : int64_t {
  none,
  copied,           // the input is whole; its gradient is summed over the ranks
  gathered,         // the input is gathered along the sequence, in the backward pass again
  gathered_before,  // the same input, which another product gathers
  summed,           // the result is summed over the ranks
  scattered         // the result is summed, and each rank keeps its part of the sequence
};
inline Exchange exchange_of(const graph::Node& node) {
  return static_cast<Exchange>(node.attributes.integers[3]);
}

struct Division {
  const graph::Graph& graph;
  const graph::Node& node;
  int ranks = 1;
  bool sequence = false;    // what is not divided otherwise is divided along axis 1
  bool regathers = false;   // a product keeps its part of what it gathered, and gathers it again
  std::vector<int> inputs;  // the axis along which each arrives divided
  std::vector<int> wanted;  // and how the node takes it
  std::vector<int> outputs;
  std::vector<int> parameters;  // the axis along which each is divided
  Exchange exchange = Exchange::none;

  int rank(size_t input) const;
  int last(size_t input) const { return rank(input) - 1; }
};
using Divide = void (*)(Division& division);

// Element by element, with broadcasting.
void divide_elements(Division& d);
// Any axis but the last, which the node works along.
void divide_rows(Division& d);
// Any axis but that in attributes.integers[0].
void divide_other_axes(Division& d);

// What a product of `rows` times `in` to `out` sends, or a table of that width.
void add_exchange(Cost& cost, Exchange exchange, graph::Monomial rows, double in, double out);

}  // namespace dtp::ops

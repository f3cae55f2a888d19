// Arithmetic and memory traffic of one operation's forward pass, as functions of the batch.
#pragma once
#include <cstdint>

#include "graph/shape.h"

namespace dtp::ops {

// A polynomial in B (samples per pass) up to B^2.
struct Polynomial {
  double c[3] = {0, 0, 0};
  double at(double batch) const { return c[0] + batch * (c[1] + batch * c[2]); }
  void add(graph::Monomial m, double factor = 1) {
    c[m.power < 3 ? m.power : 2] += factor * static_cast<double>(m.value);
  }
};

enum class Work : uint8_t {
  none,
  matmul,
  attention,
  elementwise,
  normalization,
  reduction,
  random
};

// 1 MAC = 2 FLOP. Traffic is counted in elements, because precision decides their size.
struct Cost {
  Work work = Work::none;
  Polynomial macs;  // of matrix products: what papers count
  Polynomial
      flops;  // everything: 2 * macs for products, one per element and arithmetic step otherwise
  Polynomial reads;   // elements of activations read
  Polynomial writes;  // elements written
  Polynomial scores;  // elements of attention scores: read and written where they are whole tensors
  double weights = 0;  // parameter elements read
  int kernels = 0;     // launches of an eager framework
  // Products of the backward pass: one for the input's gradient, one for the weight's.
  bool weight_product = false;
  // What a tensor-parallel group sends: elements as often as they go round its ring, and messages.
  Polynomial sent_forward, sent_backward;
  int messages_forward = 0, messages_backward = 0;
  int rounds_forward = 0, rounds_backward = 0;  // of the ring, of all messages together
};

}  // namespace dtp::ops

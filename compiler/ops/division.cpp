#include "ops/division.h"

namespace dtp::ops {

int Division::rank(size_t input) const {
  return graph[graph.input(node, static_cast<uint32_t>(input))].shape.rank();
}

// Axes are counted from the last, as broadcasting does. A size that is spread to another stays.
void divide_elements(Division& d) {
  int behind = 0;
  for (size_t i = 0; i < d.inputs.size() && behind == 0; ++i)
    if (d.inputs[i] != kWhole) behind = d.rank(i) - d.inputs[i];
  if (behind == 0) return;
  for (size_t i = 0; i < d.inputs.size(); ++i) {
    int axis = d.rank(i) - behind;
    if (axis < 0) continue;
    const graph::Tensor& t = d.graph[d.graph.input(d.node, static_cast<uint32_t>(i))];
    if (d.inputs[i] == axis || t.shape[axis].value != 1) d.wanted[i] = axis;
  }
  for (size_t i = 0; i < d.outputs.size(); ++i) {
    graph::TensorId out = d.graph.output_of(d.node, static_cast<uint32_t>(i));
    d.outputs[i] = d.graph[out].shape.rank() - behind;
  }
}

void divide_rows(Division& d) {
  if (d.inputs[0] == kWhole || d.inputs[0] == d.last(0)) return;
  d.wanted[0] = d.inputs[0];
  for (int& out : d.outputs) out = d.inputs[0];
}

void divide_other_axes(Division& d) {
  int axis = d.inputs[0];
  if (axis == kWhole || axis == static_cast<int>(d.node.attributes.integers[0])) return;
  for (int& wanted : d.wanted) wanted = axis;
  for (int& out : d.outputs) out = axis;
}

void add_exchange(Cost& cost, Exchange exchange, graph::Monomial rows, double in, double out) {
  auto forward = [&](double elements, int rounds) {
    cost.sent_forward.add(rows, rounds * elements);
    ++cost.messages_forward;
    cost.rounds_forward += rounds;
  };
  auto backward = [&](double elements, int messages, int rounds) {
    cost.sent_backward.add(rows, rounds * elements);
    cost.messages_backward += messages;
    cost.rounds_backward += rounds;
  };
  switch (exchange) {
    case Exchange::none:
    case Exchange::gathered_before: return;
    case Exchange::copied: return backward(in, 1, 2);
    case Exchange::gathered: forward(in, 1); return backward(in, 2, 2);
    case Exchange::summed: return forward(out, 2);
    case Exchange::scattered: forward(out, 1); return backward(out, 1, 1);
  }
}

}  // namespace dtp::ops

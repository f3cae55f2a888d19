#include "ops/common.h"

namespace dtp::ops {
namespace {

Result build(Call& call) { return call.fail("only a layer makes this", "`Conv1d` does"); }

// Parameters: lengths and directions. derivatives.yaml, `_weight_norm_interface`: one kernel, which
// keeps the directions' own lengths in fp32; on the CPU sums are made apart, of one thread and in
// the backward step with two factors (native/cpu/WeightNormKernel.cpp).
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value length = tape.parameter(graph.parameter(node, 0));
  Value direction = tape.parameter(graph.parameter(node, 1));
  Value out = eager::like(tape, direction);
  Value own = tape.allocate(length.shape(), DType::fp32);
  if (tape.mechanisms().kernel_scratch) eager::scratch(tape, length.shape(), DType::fp32);
  std::vector<Value> saved{eager::detached(tape, direction), eager::detached(tape, length), own};
  own.reset();
  tape.record(out, {length, direction}, std::move(saved), [](BackwardCall& call) {
    call.results[1] = eager::like(call.tape, call.saved[0]);
    call.results[0] = eager::like(call.tape, call.saved[1]);
    Shape sums = {{3, false}, call.saved[1].shape().back()};
    if (call.tape.mechanisms().kernel_scratch) eager::scratch(call.tape, sums, DType::fp32);
  });
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 4); }

}  // namespace

const Operation table::weight_norm_operation{
    "weight_norm", "weight_norm()", "made by Conv1d", {}, build, run, cost, false};

}  // namespace dtp::ops

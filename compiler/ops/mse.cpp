#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"prediction"}, {"target"}};

Result build(Call& call) {
  if (call.shape(0) != call.shape(1)) {
    Failure failure = call.fail(
        "`mse` of shapes " + to_string(call.shape(0)) + " and " + to_string(call.shape(1)),
        "the two must have one shape");
    call.explain(failure, call.tensor(0));
    call.explain(failure, call.tensor(1));
    return failure;
  }
  return call.emit(table::mse_operation, {call.tensor(0), call.tensor(1)}, {}, Shape());
}

// Saves both. The result owns memory of the whole input's size as long as it lives, and as much
// again is taken while it runs (a structured kernel that sizes its output before it reduces:
// aten/src/ATen/native/Loss.cpp).
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value prediction = tape.take(graph.input(node, 0));
  Value target = tape.take(graph.input(node, 1));
  Value y = eager::raised(tape, target, tape.mechanisms().autocast_fp32_mse);
  Value x = eager::raised(tape, prediction, tape.mechanisms().autocast_fp32_mse);
  Shape shape = x.shape();
  const Mechanisms& mechanisms = tape.mechanisms();
  Value owned = tape.allocate(mechanisms.loss_keeps_full_storage ? shape : Shape(), x.type());
  Value loss = tape.alias(owned, graph::contiguous(Shape()));
  owned.reset();
  {
    Value squares = tape.allocate(shape, x.type());
    if (mechanisms.wrapped_scalars) {
      Value wide = tape.allocate({}, DType::fp64);
      Value narrow = tape.allocate({}, x.type());
    }
  }
  std::vector<Value> saved{eager::detached(tape, x), eager::detached(tape, y)};
  tape.record(loss, {x, y}, std::move(saved),
              [needs_x = x.requires_grad(), needs_y = y.requires_grad()](BackwardCall& call) {
                if (needs_x) call.results[0] = eager::like(call.tape, call.saved[0]);
                if (needs_y) call.results[1] = eager::like(call.tape, call.saved[1]);
              });
  tape.give(graph.output_of(node, 0), std::move(loss));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::reduction;
  cost.kernels = 2;
  cost.flops.add(graph[graph.input(node, 0)].shape.elements(), 3);
  add_traffic(cost, graph, node);
  return cost;
}

}  // namespace

const Operation table::mse_operation{"mse",
                                     "mse(prediction, target)",
                                     "mean of the squared differences, as a scalar",
                                     kFormals,
                                     build,
                                     run,
                                     cost};

}  // namespace dtp::ops

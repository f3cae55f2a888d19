#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"logits"}, {"target"}};

Result build(Call& call) {
  const Shape logits = call.shape(0);
  if (logits.rank() < 1) return wrong_rank(call, 0, "[.., classes]");
  if (logits.slice(0, logits.rank() - 1) != call.shape(1)) {
    Failure failure =
        call.fail("logits " + to_string(logits) + " for targets " + to_string(call.shape(1)),
                  "one target for each row of logits");
    call.explain(failure, call.tensor(0));
    call.explain(failure, call.tensor(1));
    return failure;
  }
  return call.emit(table::cross_entropy_operation, {call.tensor(0), call.tensor(1)}, {}, Shape());
}

// Over a vocabulary that is divided: the logits are raised to fp32, made probabilities in place,
// and made the gradient in place (megatron/core/tensor_parallel/cross_entropy.py).
Value over_ranks(Tape& tape, Value logits, const Value& target) {
  Value raised = tape.cast(logits, DType::fp32, false);
  bool own = raised.record() != logits.record();
  logits.reset();
  Value probabilities =
      own ? eager::detached(tape, raised) : tape.allocate(raised.shape(), DType::fp32);
  Value rows = tape.allocate(target.shape(), DType::fp32);
  Value loss = tape.allocate({}, DType::fp32);
  tape.record(loss, {raised}, {std::move(probabilities), std::move(rows)},
              [](BackwardCall& call) { call.results[0] = call.saved[0]; });
  return loss;
}

// Saves the log-probabilities once (log_softmax and nll_loss share them), the targets, and a total
// weight. Under autocast the CPU raises logits to fp32 first, which live until the loss is there;
// CUDA keeps 16-bit log-probabilities and an fp32 copy for the loss.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value logits = tape.take(graph.input(node, 0));
  Value target = tape.take(graph.input(node, 1));
  if (exchange_of(node) == Exchange::summed) {
    tape.give(graph.output_of(node, 0), over_ranks(tape, std::move(logits), target));
    return;
  }
  bool raise = eager::raises(tape, tape.mechanisms().autocast_fp32_cross_entropy, logits);
  bool before = raise && !tape.mechanisms().cross_entropy_in_input_type;
  Value raised = before ? tape.cast(logits, DType::fp32, false) : logits;
  Value log_probabilities = eager::saves_result(tape, eager::contiguous(tape, raised));
  if (raise) log_probabilities = tape.cast(log_probabilities, DType::fp32, false);
  Value loss = tape.allocate({}, log_probabilities.type());
  Value weight = tape.allocate({}, log_probabilities.type());
  std::vector<Value> saved{eager::detached(tape, log_probabilities), eager::detached(tape, target),
                           std::move(weight)};
  auto backward = [shape = log_probabilities.shape(), type = log_probabilities.type()](
                      BackwardCall& call) { call.results[0] = call.tape.allocate(shape, type); };
  tape.record(loss, {log_probabilities}, std::move(saved), backward);
  tape.give(graph.output_of(node, 0), std::move(loss));
}

// The largest logit of a row, the target's and the sum of exponentials are found over all ranks.
void divide(Division& d) {
  if (d.inputs[0] != d.last(0)) return;
  d.wanted[0] = d.inputs[0];
  d.exchange = Exchange::summed;
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::normalization;
  cost.kernels = 2;
  cost.flops.add(graph[graph.input(node, 0)].shape.elements(), 6);
  add_traffic(cost, graph, node);
  cost.writes.add(graph[graph.input(node, 0)].shape.elements());
  if (exchange_of(node) == Exchange::summed)
    for (int i = 0; i < 3; ++i)
      add_exchange(cost, Exchange::summed, graph[graph.input(node, 1)].shape.elements(), 0, 1);
  return cost;
}

}  // namespace

const Operation table::cross_entropy_operation{
    "cross_entropy",
    "cross_entropy(logits, target)",
    "mean negative log-likelihood of the target classes over the last axis, as a scalar",
    kFormals,
    build,
    run,
    cost,
    true,
    divide};

}  // namespace dtp::ops

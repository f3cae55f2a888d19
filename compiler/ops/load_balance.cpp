#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"logits"}, {"choices"}};

Result build(Call& call) {
  if (auto failure = check_whole_numbers(call, 1)) return *failure;
  const Shape logits = call.shape(0), choices = call.shape(1);
  if (logits.rank() != 2) return wrong_rank(call, 0, "[tokens, experts]");
  if (choices.rank() != 2 || choices[0] != logits[0])
    return wrong_rank(call, 1, "[tokens, k] for as many tokens");
  return call.emit(table::load_balance_operation, {call.tensor(0), call.tensor(1)}, {}, Shape());
}

// As load_balancing_loss_func of transformers: the softmax, the choices as zeros and ones (whole
// numbers, then real), their means over the tokens, and the sum of the products times the number of
// experts.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value logits = tape.take(graph.input(node, 0));
  Value choices = tape.take(graph.input(node, 1));
  Dim experts = logits.shape()[1];
  Value shares = eager::softmax(tape, logits);
  logits.reset();
  Shape ones = {choices.shape()[0], choices.shape()[1], experts};
  Value hot = tape.allocate(ones, DType::int64);
  Value real = tape.allocate(ones, DType::fp32);
  Value counts = eager::mean(tape, real, {choices.shape()[1], experts}, 1);
  hot.reset();
  real.reset();
  Value mean = eager::mean(tape, shares, {experts}, 1);
  shares.reset();
  Value product = eager::multiply(tape, counts, mean);
  Value sum = eager::sum(tape, product, {});
  product.reset();
  tape.give(graph.output_of(node, 0), eager::with_number(tape, sum, true));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost result = elementwise_cost(graph, node, 0, 8);
  result.work = Work::reduction;
  result.flops.add(graph[graph.input(node, 0)].shape.elements(), 8);
  return result;
}

}  // namespace

const Operation table::load_balance_operation{
    "load_balance",
    "load_balance(logits, choices)",
    "a scalar that is least where all experts get as many tokens",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

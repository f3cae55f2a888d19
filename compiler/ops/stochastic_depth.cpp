#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"probability", Accepts::number}};

// reals: probability.
Result build(Call& call) {
  double p = call.number(1);
  if (!(p >= 0 && p < 1))
    return call.fail("a probability to drop a branch lies between 0 and 1", 1,
                     "not such a probability");
  if (call.shape(0).rank() == 0) return wrong_rank(call, 0, "a first axis of samples");
  Attributes attributes;
  attributes.reals[0] = p;
  return call.emit(table::stochastic_depth_operation, {call.tensor(0)}, attributes, call.shape(0));
}

// As torchvision's stochastic_depth in mode `row`: one number a sample, and a product with it.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  if (node.attributes.reals[0] == 0) {
    tape.give(graph.output_of(node, 0), std::move(x));
    return;
  }
  Shape samples = x.shape();
  for (int i = 1; i < samples.rank(); ++i) samples[i] = {1, false};
  Value drawn = tape.allocate(samples, x.type());
  eager::change_in_place(tape, x.type());
  tape.give(graph.output_of(node, 0), eager::multiply(tape, x, drawn));
}

Cost cost(const Graph& graph, const Node& node) {
  return node.attributes.reals[0] == 0 ? no_cost(graph, node) : elementwise_cost(graph, node, 1, 2);
}

}  // namespace

const Operation table::stochastic_depth_operation{
    "stochastic_depth",
    "stochastic_depth(x, probability)",
    "each sample becomes 0 with a probability, in training",
    kFormals,
    build,
    run,
    cost,
    true,
    divide_elements};

}  // namespace dtp::ops

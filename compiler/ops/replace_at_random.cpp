#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"y"}, {"with", Accepts::integer}, {"probability", Accepts::number}};

// reals: probability.
Result build(Call& call) {
  double p = call.number(2);
  if (!(p >= 0 && p <= 1))
    return call.fail("a probability lies between 0 and 1", 2, "not a probability");
  Attributes attributes;
  attributes.integers[0] = call.integer(1);
  attributes.reals[0] = p;
  Shape shape = call.shape(0);
  return call.emit(table::replace_at_random_operation, {call.tensor(0)}, attributes, shape,
                   call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value y = tape.take(graph.input(node, 0));
  if (node.attributes.reals[0] == 0) {
    tape.give(graph.output_of(node, 0), std::move(y));
    return;
  }
  Value drawn = tape.allocate(y.shape(), DType::fp32);
  Value chosen = tape.allocate(y.shape(), DType::boolean);
  tape.give(graph.output_of(node, 0), tape.allocate(y.shape(), y.type()));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 2, 3); }

}  // namespace

const Operation table::replace_at_random_operation{
    "replace_at_random",
    "replace_at_random(y, with, probability)",
    "each label becomes another one with a probability (for classifier-free guidance)",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

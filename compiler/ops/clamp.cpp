#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"low", Accepts::number}, {"high", Accepts::number}};

// reals: the lower and the upper end.
Result build(Call& call) {
  if (call.number(1) > call.number(2))
    return call.fail("`clamp` to a range whose ends are exchanged", 2, "less than the lower end");
  Attributes attributes;
  attributes.reals = {call.number(1), call.number(2)};
  return same_shape(call, table::clamp_operation, attributes);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0), eager::clamp(tape, x, 2));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 2); }

}  // namespace

const Operation table::clamp_operation{
    "clamp",
    "clamp(x, low, high)",
    "each element, but no less than one number and no more than another; saves its input",
    kFormals,
    build,
    run,
    cost,
    true,
    divide_elements};

}  // namespace dtp::ops

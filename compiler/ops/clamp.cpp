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

// derivatives.yaml, `clamp`: saves its input; backward makes one mask a bound.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value out = tape.allocate(x.shape(), x.type());
  tape.record(out, {x}, {eager::detached(tape, x)}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    Value above = call.tape.allocate(g.shape(), DType::boolean);
    Value below = call.tape.allocate(g.shape(), DType::boolean);
    call.results[0] = call.tape.allocate(g.shape(), g.type());
  });
  tape.give(graph.output_of(node, 0), std::move(out));
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

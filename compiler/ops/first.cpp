#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"axis", Accepts::integer, false, 1}};

// integers: axis.
Result build(Call& call) {
  Shape shape = call.shape(0);
  auto axis = call.axis(1, shape.rank());
  if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
  Attributes attributes;
  attributes.integers[0] = std::get<int>(axis);
  shape.erase(std::get<int>(axis));
  return call.emit(table::first_operation, {call.tensor(0)}, attributes, shape,
                   call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.give(graph.output_of(node, 0),
            eager::select(tape, x, static_cast<int>(node.attributes.integers[0])));
}

}  // namespace

const Operation table::first_operation{
    "first",
    "first(x, axis = 1)",
    "the first entry of an axis, which vanishes; a view that keeps the whole alive",
    kFormals,
    build,
    run,
    no_cost};

}  // namespace dtp::ops

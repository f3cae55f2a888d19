#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {
    {"x"}, {"axis", Accepts::integer}, {"from", Accepts::integer}, {"to", Accepts::integer}};

// integers: axis, from.
Result build(Call& call) {
  Shape shape = call.shape(0);
  auto axis = call.axis(1, shape.rank());
  if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
  int at = std::get<int>(axis);
  int64_t from = call.integer(2), to = call.integer(3);
  if (from < 0 || to < from || to > shape[at].value || shape[at].batch) {
    Failure failure = call.fail("no part [" + std::to_string(from) + ", " + std::to_string(to) +
                                    ") of a size of " + to_string(shape[at]),
                                2, "axis " + std::to_string(at) + " of " + to_string(shape));
    call.explain(failure, call.tensor(0));
    return failure;
  }
  shape[at].value = to - from;
  Attributes attributes;
  attributes.integers = {at, from, 0, 0};
  return call.emit(table::slice_operation, {call.tensor(0)}, attributes, shape,
                   call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  int axis = static_cast<int>(node.attributes.integers[0]);
  Dim size = tape.shape(graph[graph.output_of(node, 0)].shape)[axis];
  tape.give(graph.output_of(node, 0), eager::slice(tape, x, axis, size));
}

}  // namespace

const Operation table::slice_operation{
    "slice",
    "slice(x, axis, from, to)",
    "the part [from, to) of an axis; a view that keeps the whole alive",
    kFormals,
    build,
    run,
    no_cost,
    true,
    divide_other_axes};

}  // namespace dtp::ops

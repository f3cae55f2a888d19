#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {
    {"x"}, {"parts", Accepts::integer}, {"axis", Accepts::integer, false, 0}};

// integers: axis.
Result build(Call& call) {
  const Shape shape = call.shape(0);
  auto axis = call.axis(2, shape.rank());
  if (auto* failure = std::get_if<Failure>(&axis)) return *failure;
  int at = std::get<int>(axis);
  int64_t parts = call.integer(1);
  if (parts < 1 || shape[at].value % parts != 0) {
    Failure failure = call.fail("a size of " + to_string(shape[at]) + " does not cut into " +
                                    std::to_string(parts) + " equal parts",
                                1, "axis " + std::to_string(at) + " of " + to_string(shape));
    call.explain(failure, call.tensor(0));
    return failure;
  }
  Shape part = shape;
  part[at].value /= parts;
  Attributes attributes;
  attributes.integers[0] = at;
  std::vector<Shape> outputs(static_cast<size_t>(parts), part);
  TensorId x = call.tensor(0);
  return call.emit(table::chunk_operation, {&x, 1}, attributes, outputs, call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  auto parts =
      eager::split(tape, x, node.outputs.count, static_cast<int>(node.attributes.integers[0]));
  for (uint32_t i = 0; i < node.outputs.count; ++i)
    tape.give(graph.output_of(node, i), std::move(parts[i]));
}

// The weights before it lie so that each rank has its share of every part.
void divide(Division& d) {
  d.wanted[0] = d.inputs[0];
  for (int& out : d.outputs) out = d.inputs[0];
}

}  // namespace

const Operation table::chunk_operation{
    "chunk",
    "chunk(x, parts, axis = 0)",
    "cuts a tensor into equal parts along an axis; all are views of one memory",
    kFormals,
    build,
    run,
    no_cost,
    true,
    divide};

}  // namespace dtp::ops

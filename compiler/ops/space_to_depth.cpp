#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"block", Accepts::integer}};

// integers: block.
Result build(Call& call) {
  Shape shape = call.shape(0);
  int64_t block = call.integer(1);
  bool fits = shape.rank() == 4 && block >= 1 && block <= 64 && !shape[1].batch &&
              !shape[2].batch && !shape[3].batch && shape[1].value % block == 0 &&
              shape[2].value % block == 0;
  if (!fits)
    return wrong_rank(call, 0, "[B, H, W, C] that cuts into blocks of " + std::to_string(block));
  shape[1].value /= block;
  shape[2].value /= block;
  shape[3].value *= block * block;
  Attributes attributes;
  attributes.integers[0] = block;
  return call.emit(table::space_to_depth_operation, {call.tensor(0)}, attributes, shape);
}

// As the patch merging of Swin composes it: one strided view for each place in the square, joined.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  int64_t block = node.attributes.integers[0];
  std::vector<Value> parts;
  for (int64_t i = 0; i < block * block; ++i) {
    Value rows = eager::slice(tape, x, 1, shape[1]);
    parts.push_back(eager::slice(tape, rows, 2, shape[2]));
  }
  x.reset();
  tape.give(graph.output_of(node, 0), eager::concat(tape, parts, shape, 3));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::space_to_depth_operation{
    "space_to_depth",
    "space_to_depth(x, block)",
    "[B, H, W, C] with each square of pixels as one of as many channels more",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

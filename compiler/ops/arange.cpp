#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"count", Accepts::size}};

Result build(Call& call) {
  Dim count = call.size(0);
  if (count.value < 1)
    return call.fail("a row of " + to_string(count) + " numbers", 0, "at least 1");
  return call.emit(table::arange_operation, {}, {}, Shape{count}, Element::integer);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), tape.allocate(shape, DType::int64));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1); }

}  // namespace

const Operation table::arange_operation{
    "arange", "arange(count)", "the whole numbers from 0 to count - 1", kFormals, build, run, cost};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"queries", Accepts::integer},
                               {"keys", Accepts::integer},
                               {"buckets", Accepts::integer},
                               {"bidirectional", Accepts::flag, false, 1},
                               {"distance", Accepts::integer, false, 128}};

// integers: buckets, whether both directions have their own, distance.
Result build(Call& call) {
  for (size_t i = 0; i < 3; ++i)
    if (call.integer(i) < 1 || call.integer(i) > graph::kMostElements)
      return call.fail("`relative_buckets` of " + std::to_string(call.integer(i)), i, "at least 1");
  Shape shape = {{call.integer(0), false}, {call.integer(1), false}};
  Attributes attributes;
  attributes.integers = {call.integer(2), call.flag(3), call.integer(4), 0};
  return call.emit(table::relative_buckets_operation, {}, attributes, shape, Element::integer);
}

// As T5Attention of transformers computes them: whole numbers, a handful of them alive at once,
// none of which needs a gradient.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  eager::scratch(tape, shape, DType::int64, 3);
  tape.give(graph.output_of(node, 0), tape.allocate(shape, DType::int64));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 6, 10); }

}  // namespace

const Operation table::relative_buckets_operation{
    "relative_buckets",
    "relative_buckets(queries, keys, buckets, bidirectional = true, distance = 128)",
    "the number of the bucket of each distance between two positions, as in T5",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

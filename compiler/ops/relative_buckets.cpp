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

// As T5Attention of transformers computes them, in tensors of whole numbers, none of which needs a
// gradient: how far apart two positions are, that up to half of the buckets, beyond it a logarithm.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  auto made = [&](DType type) { return tape.allocate(shape, type); };
  auto compared = [&] {
    eager::WrappedNumber number(tape, DType::int64);
    return made(DType::boolean);
  };
  Value queries = tape.allocate({shape[0]}, DType::int64);
  Value keys = tape.allocate({shape[1]}, DType::int64);
  Value apart = made(DType::int64), buckets;
  if (node.attributes.integers[1] != 0) {
    Value later = compared();
    Value number = made(DType::int64);
    later.reset();
    buckets = eager::with_number(tape, number, true);
    number.reset();
    apart = made(DType::int64);
  } else {
    Value zeros = made(DType::int64);
    Value least = made(DType::int64);
    zeros.reset();
    apart = eager::negate(tape, least);
  }
  Value near = compared();
  Value far = made(DType::fp32);
  far = eager::with_number(tape, far, true);
  far = eager::like(tape, far);
  for (int i = 0; i < 2; ++i) far = eager::with_number(tape, far, true);
  Value beyond = made(DType::int64);
  far.reset();
  beyond = eager::with_number(tape, beyond, false);
  Value most = made(DType::int64);
  beyond = made(DType::int64);
  most.reset();
  Value chosen = made(DType::int64);
  tape.give(graph.output_of(node, 0), buckets ? std::move(buckets) : std::move(chosen));
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

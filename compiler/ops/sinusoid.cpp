#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"t"}, {"frequencies", Accepts::integer, false, 256}};

Result build(Call& call) {
  Shape shape = call.shape(0);
  int64_t frequencies = call.integer(1);
  if (frequencies < 2 || frequencies % 2 != 0)
    return call.fail("`sinusoid` makes pairs of cosine and sine", 1, "an even number, 2 or more");
  if (shape.rank() == graph::kMostDims) return wrong_rank(call, 0, "at most 7 dimensions");
  shape.push_back({frequencies, false});
  return call.emit(table::sinusoid_operation, {call.tensor(0)}, {}, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value t = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Shape half = shape;
  half[half.rank() - 1].value /= 2;
  Value angle = tape.allocate(half, DType::fp32);
  Value cosine = tape.allocate(half, DType::fp32);
  Value sine = tape.allocate(half, DType::fp32);
  Value out = tape.allocate(shape, DType::fp32);
  tape.give(graph.output_of(node, 0), tape.cast(out, tape.real_type(), false));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 4, 6); }

}  // namespace

const Operation table::sinusoid_operation{
    "sinusoid",
    "sinusoid(t, frequencies = 256)",
    "cosines and sines of t at a geometric row of frequencies, worked out in fp32",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"heads", Accepts::integer}};

Result build(Call& call) {
  const Shape x = call.shape(0);
  if (x.rank() != 3) return wrong_rank(call, 0, "[B, T, 3D]");
  int64_t heads = call.integer(1);
  if (heads < 1 || x[2].batch || x[2].value % (3 * heads) != 0) {
    Failure failure = call.fail("a width of " + to_string(x[2]) +
                                    " does not split into query, key and value of " +
                                    std::to_string(heads) + " heads",
                                1, "3 x " + std::to_string(heads) + " does not divide it");
    call.explain(failure, call.tensor(0));
    return failure;
  }
  Shape one = {x[0], {heads, false}, x[1], {x[2].value / (3 * heads), false}};
  Shape outputs[] = {one, one, one};
  TensorId id = call.tensor(0);
  return call.emit(table::split_qkv_operation, {&id, 1}, {}, outputs);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape one = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value five = eager::view(tape, x, {x.shape()[0], x.shape()[1], {3, false}, one[1], one[3]});
  x.reset();
  Value ordered = eager::permute(tape, five, {2, 0, 3, 1, 4});
  five.reset();
  auto parts = eager::unbind(tape, ordered, 0);
  for (uint32_t i = 0; i < 3; ++i) tape.give(graph.output_of(node, i), std::move(parts[i]));
}

// Ranks share the heads: each has query, key and value of its own.
void divide(Division& d) {
  if (d.inputs[0] != 2) return;
  d.wanted[0] = 2;
  for (int& out : d.outputs) out = 1;
}

}  // namespace

const Operation table::split_qkv_operation{
    "split_qkv",
    "split_qkv(x, heads)",
    "[B, T, 3D] as query, key and value, each [B, heads, T, D / heads]; views of one memory",
    kFormals,
    build,
    run,
    no_cost,
    true,
    divide};

}  // namespace dtp::ops

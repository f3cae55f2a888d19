#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"a"}, {"b"}};

Result build(Call& call) {
  const Shape a = call.shape(0), b = call.shape(1);
  if (a.rank() < 2) return wrong_rank(call, 0, "matrices");
  if (b.rank() < 2) return wrong_rank(call, 1, "matrices");
  auto batches = broadcast(a.slice(0, a.rank() - 2), b.slice(0, b.rank() - 2));
  if (!batches || a.back() != b[b.rank() - 2]) {
    Failure failure = call.fail(
        "shapes " + to_string(a) + " and " + to_string(b) + " do not multiply",
        batches ? to_string(a.back()) + " columns meet " + to_string(b[b.rank() - 2]) + " rows"
                : "their batches differ");
    call.explain(failure, call.tensor(0));
    call.explain(failure, call.tensor(1));
    return failure;
  }
  Shape shape = *batches;
  shape.push_back(a[a.rank() - 2]);
  shape.push_back(b.back());
  return call.emit(table::matmul_operation, {call.tensor(0), call.tensor(1)}, {}, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value a = tape.take(graph.input(node, 0));
  Value b = tape.take(graph.input(node, 1));
  tape.give(graph.output_of(node, 0), eager::matmul(tape, std::move(a), std::move(b)));
}

Cost cost(const Graph& graph, const Node& node) {
  double inner = static_cast<double>(graph[graph.input(node, 0)].shape.back().value);
  return product_cost(graph, node, graph[graph.output_of(node, 0)].shape.elements(), inner);
}

}  // namespace

const Operation table::matmul_operation{
    "matmul", "matmul(a, b)", "matrix product over the last two axes", kFormals, build, run, cost};

}  // namespace dtp::ops

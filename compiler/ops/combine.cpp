#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"choices"}, {"weights"}};

Result build(Call& call) {
  if (auto failure = check_whole_numbers(call, 1)) return *failure;
  const Shape x = call.shape(0), choices = call.shape(1), weights = call.shape(2);
  if (x.rank() != 3) return wrong_rank(call, 0, "[experts, tokens of each, width]");
  if (choices.rank() != 2) return wrong_rank(call, 1, "[tokens, k]");
  if (weights != choices) return wrong_rank(call, 2, "as many weights as choices");
  return call.emit(table::combine_operation, {call.tensor(0), call.tensor(1), call.tensor(2)}, {},
                   Shape{choices[0], x[2]});
}

// The weights by index, times 0 for places that nobody fills; a product with them; and `index_add`
// into zeros, which saves its index and its source (derivatives.yaml).
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  tape.take(graph.input(node, 1)).reset();
  Value weights = tape.take(graph.input(node, 2));
  Dim all{weights.shape()[0].value * weights.shape()[1].value, weights.shape()[0].batch};
  Dim places{x.shape()[0].value * x.shape()[1].value, x.shape()[1].batch};
  Value flat = eager::view(tape, weights, {all});
  weights.reset();
  Value chosen = eager::resampled(tape, flat, {places}, {tape.allocate({places}, DType::int64)});
  flat.reset();
  Value filled = tape.allocate({places}, chosen.type());
  chosen = eager::multiply(tape, chosen, filled);
  filled.reset();
  Value column = eager::view(tape, chosen, {x.shape()[0], x.shape()[1], {1, false}});
  chosen.reset();
  Value weighted = eager::multiply(tape, x, column);
  x.reset();
  column.reset();
  std::vector<Value> saved{tape.allocate({places}, DType::int64), eager::detached(tape, weighted)};
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), eager::resampled(tape, weighted, shape, std::move(saved)));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1, 2); }

}  // namespace

const Operation table::combine_operation{
    "combine",
    "combine(x, choices, weights)",
    "[tokens, width]: what the experts made of each token, weighted",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

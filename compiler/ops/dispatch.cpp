// Tokens to experts. How many tokens an expert gets depends on the data; their sum does not where
// no capacity bounds it, so that the memory of all experts on one device is exact and only its
// split among them is not. A capacity makes every expert's share exact.
#include <cmath>

#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"tokens"},
                               {"choices"},
                               {"experts", Accepts::integer},
                               {"capacity_factor", Accepts::number, false, 0}};

Result build(Call& call) {
  if (auto failure = check_whole_numbers(call, 1)) return *failure;
  const Shape tokens = call.shape(0), choices = call.shape(1);
  if (tokens.rank() != 2) return wrong_rank(call, 0, "[tokens, width]");
  if (choices.rank() != 2 || choices[0] != tokens[0] || choices[1].batch)
    return wrong_rank(call, 1, "[tokens, k] for as many tokens");
  int64_t experts = call.integer(2);
  if (experts < 1)
    return call.fail("`dispatch` to " + std::to_string(experts) + " experts", 2, "at least 1");
  double factor = call.given(3) ? call.number(3) : 1;
  if (!(factor > 0 && factor <= static_cast<double>(experts)))
    return call.fail("a capacity factor lies between 0 and the number of experts", 3,
                     "a share of the tokens that each expert would get if all got as many");
  double share = static_cast<double>(tokens[0].value) * static_cast<double>(choices[1].value) /
                 static_cast<double>(experts);
  if (share * factor > static_cast<double>(graph::kMostElements))
    return call.fail("more rows than any machine holds", "made here");
  Dim rows{static_cast<int64_t>(std::ceil(share * factor)), tokens[0].batch};
  return call.emit(table::dispatch_operation, {call.tensor(0), call.tensor(1)}, {},
                   Shape{{experts, false}, rows, tokens[1]});
}

// As transformers' Mixtral gathers: rows by index. derivatives.yaml, `index`: saves the indices;
// backward is zeros of the whole with rows added.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value tokens = tape.take(graph.input(node, 0));
  tape.take(graph.input(node, 1)).reset();
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value index = tape.allocate({shape[0], shape[1]}, DType::int64);
  tape.give(graph.output_of(node, 0), eager::resampled(tape, tokens, shape, {std::move(index)}));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 1, 2); }

}  // namespace

const Operation table::dispatch_operation{
    "dispatch",
    "dispatch(tokens, choices, experts, capacity_factor = none)",
    "[experts, N, width]: the tokens that chose each expert, N of them on average or at most",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

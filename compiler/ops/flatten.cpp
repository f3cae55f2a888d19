#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {
    {"x"}, {"from", Accepts::integer, false, 1}, {"to", Accepts::integer, false, -1}};

Result build(Call& call) {
  const Shape shape = call.shape(0);
  auto from = call.axis(1, shape.rank()), to = call.axis(2, shape.rank());
  if (auto* failure = std::get_if<Failure>(&from)) return *failure;
  if (auto* failure = std::get_if<Failure>(&to)) return *failure;
  int first = std::get<int>(from), last = std::get<int>(to);
  if (last < first)
    return call.fail("`flatten` from axis " + std::to_string(first) + " to " + std::to_string(last),
                     2, "the last axis comes before the first");
  graph::Monomial joined = shape.slice(first, last + 1).elements();
  if (joined.power > 1 || joined.value > graph::kMostElements)
    return wrong_rank(call, 0, "axes whose product is one size");
  Shape result = shape.slice(0, first);
  result.push_back({static_cast<int64_t>(joined.value), joined.power == 1});
  for (int i = last + 1; i < shape.rank(); ++i) result.push_back(shape[i]);
  return call.emit(table::flatten_operation, {call.tensor(0)}, {}, result, call.operand(0).element);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), eager::view(tape, x, shape));
}

}  // namespace

const Operation table::flatten_operation{"flatten",
                                         "flatten(x, from = 1, to = -1)",
                                         "joins neighbouring axes into one",
                                         kFormals,
                                         build,
                                         run,
                                         no_cost};

}  // namespace dtp::ops

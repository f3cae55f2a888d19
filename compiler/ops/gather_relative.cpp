#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"table"}, {"window", Accepts::integer}};

Result build(Call& call) {
  const Shape table = call.shape(0);
  int64_t window = call.integer(1);
  int64_t rows = window >= 1 && window <= 1024 ? (2 * window - 1) * (2 * window - 1) : -1;
  if (table.rank() != 2 || table[0] != Dim{rows, false})
    return wrong_rank(call, 0,
                      "[(2 * window - 1)^2, heads] with a window of " + std::to_string(window));
  Dim tokens{window * window, false};
  return call.emit(table::gather_relative_operation, {call.tensor(0)}, {},
                   Shape{table[1], tokens, tokens});
}

// As torchvision's Swin composes it: rows by index (saved, 8 bytes each), permuted, made
// contiguous. Backward of the index is a table of zeros with rows added.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value table = tape.take(graph.input(node, 0));
  Shape out = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value index = tape.allocate({{out[1].value * out[2].value, false}}, DType::int64);
  Value rows = tape.allocate({index.shape()[0], out[0]}, table.type());
  tape.record(rows, {table}, {std::move(index)}, [whole = table.shape()](BackwardCall& call) {
    call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
  });
  Value cut = eager::view(tape, rows, {out[1], out[2], out[0]});
  rows.reset();
  Value ordered = eager::permute(tape, cut, {2, 0, 1});
  cut.reset();
  tape.give(graph.output_of(node, 0), eager::contiguous(tape, ordered));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0, 2); }

}  // namespace

const Operation table::gather_relative_operation{
    "gather_relative",
    "gather_relative(table, window)",
    "[heads, T, T]: for each pair of tokens of a window the row of its distance",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

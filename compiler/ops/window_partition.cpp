#include "ops/windows.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"window", Accepts::integer}};

// integers: window.
Result build(Call& call) {
  const Shape x = call.shape(0);
  int64_t window = call.integer(1);
  bool fits = x.rank() == 4 && window >= 1 && !x[1].batch && !x[2].batch &&
              x[1].value % window == 0 && x[2].value % window == 0;
  if (!fits)
    return wrong_rank(call, 0, "[B, H, W, C] that cuts into windows of " + std::to_string(window));
  int64_t windows = x[1].value / window * (x[2].value / window);
  Attributes attributes;
  attributes.integers[0] = window;
  Shape shape = {{x[0].value * windows, x[0].batch}, {window * window, false}, x[3]};
  return call.emit(table::window_partition_operation, {call.tensor(0)}, attributes, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape in = x.shape(), out = tape.shape(graph[graph.output_of(node, 0)].shape);
  Dim w{node.attributes.integers[0], false};
  Shape six = {in[0], {in[1].value / w.value, false}, w, {in[2].value / w.value, false}, w, in[3]};
  tape.give(graph.output_of(node, 0), regrouped(tape, std::move(x), six, out));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::window_partition_operation{
    "window_partition",
    "window_partition(x, window)",
    "[B, H, W, C] as [B * windows, window * window, C]; a copy",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

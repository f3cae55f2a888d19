#include "ops/windows.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"window", Accepts::integer}, {"sides", Accepts::dims}};

// integers: window, height, width.
Result build(Call& call) {
  const Shape x = call.shape(0);
  int64_t window = call.integer(1);
  const auto& sides = call.dims(2);
  bool fits = x.rank() == 3 && window >= 1 && sides.size() == 2 && !sides[0].batch &&
              !sides[1].batch && sides[0].value % window == 0 && sides[1].value % window == 0 &&
              x[1] == Dim{window * window, false};
  int64_t windows = fits ? sides[0].value / window * (sides[1].value / window) : 0;
  if (!fits || windows < 1 || x[0].value % windows != 0)
    return wrong_rank(call, 0,
                      "windows of " + std::to_string(window) + " x " + std::to_string(window) +
                          " tokens that fill the sides");
  Attributes attributes;
  attributes.integers = {window, sides[0].value, sides[1].value, 0};
  Shape shape = {{x[0].value / windows, x[0].batch}, sides[0], sides[1], x[2]};
  return call.emit(table::window_merge_operation, {call.tensor(0)}, attributes, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape out = tape.shape(graph[graph.output_of(node, 0)].shape);
  Dim w{node.attributes.integers[0], false};
  Shape six = {out[0], {out[1].value / w.value, false}, {out[2].value / w.value, false}, w, w,
               out[3]};
  tape.give(graph.output_of(node, 0), regrouped(tape, std::move(x), six, out));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::window_merge_operation{
    "window_merge",
    "window_merge(x, window, [H, W])",
    "[B * windows, window * window, C] as [B, H, W, C]; a copy",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

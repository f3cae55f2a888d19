#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"height", Accepts::integer},
                               {"width", Accepts::integer},
                               {"window", Accepts::integer},
                               {"shift", Accepts::integer}};

// integers: height, width, window, shift.
Result build(Call& call) {
  int64_t height = call.integer(0), width = call.integer(1), window = call.integer(2);
  if (window < 1 || height < 1 || width < 1 || height % window != 0 || width % window != 0)
    return call.fail(std::to_string(height) + " x " + std::to_string(width) +
                         " does not cut into windows of " + std::to_string(window),
                     2, "must divide both");
  if (height > graph::kMostElements / width || window > (int64_t{1} << 20))
    return call.too_large("a mask of this size is larger than any machine holds", "made here");
  Dim tokens{window * window, false};
  Shape shape = {{height / window * (width / window), false}, tokens, tokens};
  Attributes attributes;
  attributes.integers = {height, width, window, call.integer(3)};
  return call.emit(table::window_mask_operation, {}, attributes, shape);
}

// As torchvision's shifted_window_attention makes it in each forward pass: the numbers of regions,
// their differences in each window, and what these are filled with. Nothing needs a gradient.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  const auto& integers = node.attributes.integers;
  Dim window{integers[2], false}, down{integers[0] / integers[2], false},
      across{integers[1] / integers[2], false};
  Value regions = tape.allocate({{integers[0], false}, {integers[1], false}}, tape.real_type());
  Value cut = eager::view(tape, regions, {down, window, across, window});
  Value windows = eager::view(tape, eager::transpose(tape, cut, 1, 2), shape.slice(0, 2));
  cut.reset();
  regions.reset();
  Value difference = tape.allocate(shape, windows.type());
  windows.reset();
  auto filled = [&] {
    Value places;
    {
      eager::WrappedNumber number(tape, difference.type());
      places = tape.allocate(shape, DType::boolean);
    }
    return eager::like(tape, difference);
  };
  Value apart = filled();
  tape.give(graph.output_of(node, 0), filled());
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 2, 4); }

}  // namespace

const Operation table::window_mask_operation{
    "window_mask",
    "window_mask(height, width, window, shift)",
    "[windows, T, T]: which tokens of a shifted window were neighbours before the shift",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

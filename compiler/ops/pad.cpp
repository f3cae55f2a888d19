#include "ops/common.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"},
                               {"left", Accepts::integer, false, 0},
                               {"right", Accepts::integer, false, 0},
                               {"top", Accepts::integer, false, 0},
                               {"bottom", Accepts::integer, false, 0}};

// integers: left, right, top, bottom.
Result build(Call& call) {
  TensorId x = call.tensor(0);
  if (auto failure = check_image(call, x)) return *failure;
  Shape shape = call.shape(0);
  Attributes attributes;
  for (size_t i = 1; i <= 4; ++i) {
    int64_t n = call.integer(i);
    if (n < 0 || n > graph::kMostElements)
      return call.fail("`pad` adds " + std::to_string(n) + " pixels", i, "not negative");
    shape[i <= 2 ? 3 : 2].value += n;
    attributes.integers[i - 1] = n;
  }
  return call.emit(table::pad_operation, {x}, attributes, shape);
}

// derivatives.yaml, `constant_pad_nd`: saves nothing; backward cuts the border off into new memory.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  tape.give(graph.output_of(node, 0), eager::resampled(tape, x, shape));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::pad_operation{"pad",
                                     "pad(x, left = 0, right = 0, top = 0, bottom = 0)",
                                     "zeros around an image; a copy that saves nothing",
                                     kFormals,
                                     build,
                                     run,
                                     cost};

}  // namespace dtp::ops

#include "ops/common.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"factor", Accepts::integer}};

Result build(Call& call) {
  TensorId x = call.tensor(0);
  if (auto failure = check_image(call, x)) return *failure;
  int64_t factor = call.integer(1);
  if (factor < 1 || factor > 1024)
    return call.fail("`upsample` by " + std::to_string(factor), 1, "1 to 1024 times as large");
  Shape shape = call.shape(0);
  if (shape.elements().value > graph::kMostElements / (factor * factor))
    return call.too_large("an image of " + to_string(shape) + " times " + std::to_string(factor) +
                              " is larger than any machine holds",
                          "made here");
  shape[2].value *= factor;
  shape[3].value *= factor;
  return call.emit(table::upsample_operation, {x}, {}, shape);
}

// derivatives.yaml, `upsample_nearest2d`: saves nothing. CUDA's autocast of PyTorch 2.x runs it in
// fp32, that of 1.13 does not (autocast_mode.h, autocast_mode.cpp). The CPU makes a table of places
// and weights for each axis (native/cpu/UpSampleKernel.cpp).
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  x = eager::raised(tape, x, tape.mechanisms().autocast_fp32_upsample);
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value out = tape.allocate(shape, x.type());
  std::vector<Value> tables;
  for (int axis = 2; axis < 4 && tape.mechanisms().kernel_scratch; ++axis)
    for (DType type : {DType::int64, x.type()})
      tables.push_back(tape.allocate({shape[axis]}, type));
  tables.clear();
  tape.record(out, {x}, {}, [whole = x.shape()](BackwardCall& call) {
    call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
  });
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::upsample_operation{"upsample",
                                          "upsample(x, factor)",
                                          "each pixel repeated in a square; saves nothing",
                                          kFormals,
                                          build,
                                          run,
                                          cost};

}  // namespace dtp::ops

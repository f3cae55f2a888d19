// max_pool and avg_pool: one operation but for what autograd keeps of it.
#include <array>

#include "ops/common.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"},
                               {"size", Accepts::integer},
                               {"stride", Accepts::integer, false, 0},
                               {"padding", Accepts::integer, false, 0}};

// integers: size, stride, padding.
template <const Operation& kSelf>
Result build(Call& call) {
  TensorId x = call.tensor(0);
  if (auto failure = check_image(call, x)) return *failure;
  Window window{call.integer(1), call.given(2) ? call.integer(2) : call.integer(1),
                call.integer(3)};
  auto places = slide(call, x, std::array{window, window}, 1);
  if (auto* failure = std::get_if<Failure>(&places)) return *failure;
  const auto& sizes = std::get<std::vector<Dim>>(places);
  Shape shape = call.shape(0);
  shape[2] = sizes[0];
  shape[3] = sizes[1];
  Attributes attributes;
  attributes.integers = {window.size, window.stride, window.padding, 0};
  return call.emit(kSelf, {x}, attributes, shape);
}

// derivatives.yaml, `avg_pool2d`: saves its input. `max_pool2d_with_indices`: that and the indices,
// 8 bytes for each element that comes out.
template <bool kIndices>
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value out = tape.allocate(shape, x.type());
  std::vector<Value> saved{eager::detached(tape, x)};
  if (kIndices) saved.push_back(tape.allocate(shape, DType::int64));
  tape.record(out, {x}, std::move(saved), [whole = x.shape()](BackwardCall& call) {
    call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
  });
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost cost(const Graph& graph, const Node& node) {
  auto size = static_cast<double>(node.attributes.integers[0]);
  Cost cost = elementwise_cost(graph, node, size * size);
  cost.work = Work::reduction;
  return cost;
}

}  // namespace

const Operation table::avg_pool_operation{"avg_pool",
                                          "avg_pool(x, size, stride = size, padding = 0)",
                                          "the mean of each window; saves its input",
                                          kFormals,
                                          build<table::avg_pool_operation>,
                                          run<false>,
                                          cost};
const Operation table::max_pool_operation{
    "max_pool",
    "max_pool(x, size, stride = size, padding = 0)",
    "the largest element of each window; saves its input and where they were",
    kFormals,
    build<table::max_pool_operation>,
    run<true>,
    cost};

}  // namespace dtp::ops

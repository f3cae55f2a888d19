#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {
    {"x"}, {"k", Accepts::integer}, {"normalised", Accepts::flag, false, 0}};

// integers: whether the values are divided by their sum.
Result build(Call& call) {
  Shape shape = call.shape(0);
  int64_t k = call.integer(1);
  if (shape.rank() == 0 || shape.back().batch || k < 1 || k > shape.back().value) {
    Failure failure = call.fail("the " + std::to_string(k) + " largest of " + to_string(shape), 1,
                                "1 to the size of the last axis");
    call.explain(failure, call.tensor(0));
    return failure;
  }
  shape[shape.rank() - 1] = {k, false};
  Attributes attributes;
  attributes.integers[0] = call.flag(2);
  Shape outputs[] = {shape, shape};
  TensorId x = call.tensor(0);
  Result made = call.emit(table::top_k_operation, {&x, 1}, attributes, outputs);
  if (auto* tensors = std::get_if<Tensors>(&made))
    call.builder().set_element((*tensors)[1], Element::integer);
  return made;
}

// derivatives.yaml, `topk`: saves the indices; backward is zeros of the whole with the gradients
// written in. The division is that of transformers' Mixtral.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Value values = tape.allocate(shape, x.type());
  Value choices = tape.allocate(shape, DType::int64);
  tape.record(values, {x}, {eager::detached(tape, choices)},
              [whole = x.shape()](BackwardCall& call) {
                call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
              });
  x.reset();
  if (node.attributes.integers[0] != 0) {
    Shape one = shape;
    one[one.rank() - 1] = {1, false};
    values = eager::divide(tape, values, eager::sum(tape, values, one));
  }
  tape.give(graph.output_of(node, 0), std::move(values));
  tape.give(graph.output_of(node, 1), std::move(choices));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 3, 3);
  cost.work = Work::reduction;
  return cost;
}

}  // namespace

const Operation table::top_k_operation{"top_k",
                                       "top_k(x, k, normalised = false) -> weights, choices",
                                       "the k largest of the last axis and where they stand",
                                       kFormals,
                                       build,
                                       run,
                                       cost};

}  // namespace dtp::ops

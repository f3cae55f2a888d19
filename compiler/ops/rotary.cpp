#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"q"}, {"k"}, {"theta", Accepts::number, false, 1e4}};

// The cosines and sines of all positions: two buffers of the model that no state dict holds, shared
// by all layers of one base, length and width.
graph::ParameterId table_of(Builder& builder, std::string_view what, graph::Start start,
                            double theta, Dim length, Dim width, Span span) {
  std::string key = "rotary." + std::string(what) + "." + std::to_string(length.value) + "." +
                    std::to_string(width.value) + "." + std::to_string(theta);
  graph::ParameterId table = builder.shared_buffer(key, {length, width}, span);
  builder.set_start(table, start, theta);
  return table;
}

// reals: theta.
Result build(Call& call) {
  const Shape q = call.shape(0), k = call.shape(1);
  for (size_t i = 0; i < 2; ++i) {
    const Shape& x = call.shape(i);
    if (x.rank() != 4 || x[2].batch || x[3].batch || x[3].value % 2 != 0)
      return wrong_rank(call, i, "[B, heads, T, d] with an even d");
  }
  if (q[2] != k[2] || q[3] != k[3]) {
    Failure failure = call.fail(
        "query " + to_string(q) + " and key " + to_string(k) + " do not turn by the same angles",
        "lengths and widths must agree");
    call.explain(failure, call.tensor(0));
    call.explain(failure, call.tensor(1));
    return failure;
  }
  double theta = call.number(2);
  if (!(theta > 0)) return call.fail("`rotary` with a base that is not above 0", 2, "such as 1e4");
  Builder& builder = call.builder();
  using graph::Start;
  graph::ParameterId tables[] = {
      table_of(builder, "cos", Start::cosines, theta, q[2], q[3], call.span()),
      table_of(builder, "sin", Start::sines, theta, q[2], q[3], call.span())};
  TensorId inputs[] = {call.tensor(0), call.tensor(1)};
  Shape outputs[] = {q, k};
  Attributes attributes;
  attributes.reals[0] = theta;
  return call.emit(table::rotary_operation, inputs, attributes, outputs, Element::real, tables);
}

// x * cos + cat(-x2, x1) * sin: only the tables are saved.
Value turned(Tape& tape, Value x, const Value& cosines, const Value& sines) {
  int last = x.shape().rank() - 1;
  Dim half{x.shape()[last].value / 2, false};
  Value straight = eager::multiply(tape, x, cosines);
  Value second = eager::negate(tape, eager::slice(tape, x, last, half));
  Value parts[] = {second, eager::slice(tape, x, last, half)};
  second.reset();
  Value crossed = eager::concat(tape, parts, x.shape(), last);
  for (Value& part : parts) part.reset();
  x.reset();
  Value turned = eager::multiply(tape, crossed, sines);
  crossed.reset();
  return eager::add(tape, straight, turned);
}

// As apply_rotary_pos_emb of transformers composes it; the tables are cast to the type that comes
// in.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value q = tape.take(graph.input(node, 0)), k = tape.take(graph.input(node, 1));
  Value cosines = tape.cast(tape.parameter(graph.parameter(node, 0)), q.type(), false);
  Value sines = tape.cast(tape.parameter(graph.parameter(node, 1)), q.type(), false);
  tape.give(graph.output_of(node, 0), turned(tape, std::move(q), cosines, sines));
  tape.give(graph.output_of(node, 1), turned(tape, std::move(k), cosines, sines));
}

// Five kernels for each of the two: two products, a sum, a negation, a join.
Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 4, 10);
  cost.flops.add(graph[graph.output_of(node, 1)].shape.elements(), 4);
  return cost;
}

// Ranks share the heads; the angles are the same for all of them.
void divide(Division& d) {
  if (d.inputs[0] != 1 && d.inputs[1] != 1) return;
  d.wanted = {1, 1};
  d.outputs = {1, 1};
}

}  // namespace

const Operation table::rotary_operation{
    "rotary",
    "rotary(q, k, theta = 1e4) -> q, k",
    "turns query and key by angles that grow with their position",
    kFormals,
    build,
    run,
    cost,
    true,
    divide};

}  // namespace dtp::ops

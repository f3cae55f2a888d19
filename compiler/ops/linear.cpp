#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"out", Accepts::integer},
                               {"bias", Accepts::flag, false, 1},
                               {"shard", Accepts::word, false, 0, "none", "none|column|row|vocab"}};

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, -1)) return *failure;
  int64_t out = call.integer(0);
  if (out < 1) return call.fail("`Linear` to a width of " + std::to_string(out), 0, "at least 1");
  if (!layer.made()) {
    layer.add_product(call.builder(), {{out, false}, {layer.width(), false}}, call.flag(1));
    layer.shard(call.builder(), call.word(2));
  }
  Shape shape = call.builder()[x].shape;
  shape[shape.rank() - 1] = {out, false};
  return call.emit(table::linear_operation, {&x, 1}, {}, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Linear` does"); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value weight = tape.parameter(graph.parameter(node, 0));
  Value bias = node.parameters.count > 1 ? tape.parameter(graph.parameter(node, 1)) : Value();
  TensorId out = graph.output_of(node, 0);
  if (const graph::Blocks& blocks = graph[graph.parameter(node, 0)].blocks; blocks.any()) {
    tape.give(out, eager::linear_of_blocks(tape, x, weight.shape(), bias, blocks.bits == 8));
    return;
  }
  Exchange exchange = exchange_of(node);
  if (exchange == Exchange::none) {
    tape.give(out, eager::linear(tape, std::move(x), std::move(weight), std::move(bias)));
    return;
  }
  Shape result = tape.shape(graph[out].shape), gathered = result;
  bool gathers = exchange == Exchange::gathered || exchange == Exchange::gathered_before;
  gathered[gathered.rank() - 1] = x.shape().back();
  Value y = eager::linear(tape, std::move(x), std::move(weight), std::move(bias),
                          gathers ? &gathered : nullptr);
  if (exchange == Exchange::scattered) y = eager::resampled(tape, y, result);
  tape.give(out, std::move(y));
}

// By columns each rank makes its share of the result from the whole input, by rows each adds its
// part of the sum.
void divide(Division& d) {
  const graph::Parameter& weight = d.graph[d.graph.parameter(d.node, 0)];
  const Shape& out = d.graph[d.graph.output_of(d.node, 0)].shape;
  bool in_sequence = d.sequence && out.rank() == 3;
  switch (weight.sharding) {
    case graph::Sharding::column:
    case graph::Sharding::vocab:
      for (int& parameter : d.parameters) parameter = 0;
      d.outputs[0] = out.rank() - 1;
      d.exchange = Exchange::copied;
      if (!in_sequence || d.inputs[0] != 1) return;
      // Else the gather that brings the whole input sends its gradient back.
      d.wanted[0] = d.regathers ? 1 : kWhole;
      d.exchange = d.regathers ? Exchange::gathered : Exchange::none;
      return;
    case graph::Sharding::row:
      d.parameters[0] = 1;
      d.wanted[0] = d.last(0);
      d.outputs[0] = in_sequence ? 1 : kWhole;
      d.exchange = in_sequence ? Exchange::scattered : Exchange::summed;
      return;
    default: return divide_rows(d);
  }
}

Cost cost(const Graph& graph, const Node& node) {
  const Shape& out = graph[graph.output_of(node, 0)].shape;
  const Shape& in = graph[graph.input(node, 0)].shape;
  Exchange exchange = exchange_of(node);
  bool gathers = exchange == Exchange::gathered || exchange == Exchange::gathered_before;
  auto width = static_cast<double>(in.back().value), wide = static_cast<double>(out.back().value);
  Cost cost = gathers ? product_cost(graph, node, out.elements(), width)
                      : product_cost(graph, node, in.elements(), wide);
  if (node.parameters.count > 1) cost.flops.add(out.elements());  // the bias
  if (exchange != Exchange::none) {
    const Shape& rows = gathers ? out : in;
    add_exchange(cost, exchange, rows.slice(0, rows.rank() - 1).elements(), width, wide);
  }
  return cost;
}

}  // namespace

Result apply_transposed(Builder& builder, const LayerInstance& embedding,
                        std::span<const Argument> arguments, Span span) {
  Call call(builder, "transposed", "embedding.transposed(x)", kOneTensor, span, embedding.path());
  if (auto failure = call.bind(arguments)) return *failure;
  if (embedding.parameters().empty())
    return call.fail("the embedding of this head has not been looked up before", "called here");
  const Shape& table = builder[embedding.parameters()[0]].shape;
  Shape shape = call.shape(0);
  if (shape.rank() == 0 || shape.back() != table[1]) {
    Failure failure = call.fail(
        "an embedding of width " + to_string(table[1]) + " is the head of " + to_string(shape), 0,
        "its last size must be " + to_string(table[1]));
    call.explain(failure, call.tensor(0));
    return failure;
  }
  shape[shape.rank() - 1] = table[0];
  TensorId x = call.tensor(0);
  return call.emit(table::linear_operation, {&x, 1}, {}, {&shape, 1}, Element::real,
                   embedding.parameters());
}

const LayerKind table::Linear_layer{
    "Linear", "Linear(out, bias = true, shard = none)(x)",
    "x W^T + b over the last axis; its width is that of its first input", kFormals, apply};
const Operation table::linear_operation{
    "linear", "linear(x)", "made by Linear", kOneTensor, build, run, cost, false, divide};

}  // namespace dtp::ops

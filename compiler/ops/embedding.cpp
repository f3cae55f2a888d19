#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"rows", Accepts::integer},
                               {"width", Accepts::integer},
                               {"shard", Accepts::word, false, 0, "none", "none|vocab"}};

// The initializer_range that GPT-2, BERT and Llama are trained with, and DiT's tables of labels.
constexpr double kTableScale = 0.02;

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  int64_t rows = call.integer(0), width = call.integer(1);
  if (rows < 1)
    return call.fail("an `Embedding` of " + std::to_string(rows) + " rows", 0, "at least 1");
  if (width < 1)
    return call.fail("an `Embedding` of width " + std::to_string(width), 1, "at least 1");
  const graph::Tensor& index = call.builder()[x];
  if (index.element != Element::integer) {
    Failure failure = call.fail("`Embedding` looks up whole numbers", "applied to real numbers");
    call.explain(failure, x);
    return failure;
  }
  Shape shape = index.shape;
  if (shape.rank() == graph::kMostDims)
    return call.fail("`Embedding` of 8 dimensions", "one more than a tensor has");
  shape.push_back({width, false});
  return call.emit(table::embedding_operation, {&x, 1}, {}, {&shape, 1}, Element::real,
                   layer.parameters());
}

void own(Call& call, LayerInstance& layer) {
  int64_t rows = call.integer(0), width = call.integer(1);
  if (rows < 1 || width < 1) return;  // told when it is applied
  layer.add_parameter(call.builder(), "weight", {{rows, false}, {width, false}});
  layer.starts(call.builder(), graph::Start::normal, kTableScale);
  layer.shard(call.builder(), call.word(2));
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Embedding` does"); }

// Saves the indices. The gradient is a whole table of zeros with rows added.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value index = tape.take(graph.input(node, 0));
  Value weight = tape.parameter(graph.parameter(node, 0));
  Shape result = tape.shape(graph[graph.output_of(node, 0)].shape), looked_up = index.shape();
  looked_up.push_back(result.back());
  Value out = tape.allocate(looked_up, weight.type());
  tape.record(out, {weight}, {eager::detached(tape, index)},
              [table = weight.shape()](BackwardCall& call) {
                const Value& g = call.gradients[0];
                call.results[0] = call.tape.allocate(table, g.type());
                if (!graph::is_contiguous(g.layout()))  // what lies otherwise is joined meanwhile
                  eager::scratch(call.tape, g.shape(), g.type());
              });
  if (exchange_of(node) == Exchange::scattered) out = eager::resampled(tape, out, result);
  tape.give(graph.output_of(node, 0), std::move(out));
}

// Each rank has a share of the rows and leaves the others at zero: the sum is what is looked up.
void divide(Division& d) {
  const graph::Parameter& weight = d.graph[d.graph.parameter(d.node, 0)];
  if (weight.sharding != graph::Sharding::vocab) {
    d.wanted[0] = d.outputs[0] = d.inputs[0];
    return;
  }
  d.parameters[0] = 0;
  bool in_sequence = d.sequence && d.rank(0) == 2;
  d.outputs[0] = in_sequence ? 1 : kWhole;
  d.exchange = in_sequence ? Exchange::scattered : Exchange::summed;
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::elementwise;
  cost.kernels = 1;
  graph::Monomial out = graph[graph.output_of(node, 0)].shape.elements();
  cost.reads.add(out);
  cost.writes.add(out);
  if (Exchange exchange = exchange_of(node); exchange != Exchange::none)
    add_exchange(cost, exchange, graph[graph.input(node, 0)].shape.elements(), 0,
                 static_cast<double>(graph[graph.output_of(node, 0)].shape.back().value));
  return cost;
}

}  // namespace

const LayerKind table::Embedding_layer{"Embedding",
                                       "Embedding(rows, width, shard = none)(y)",
                                       "looks up one trained row for each whole number",
                                       kFormals,
                                       apply,
                                       true,
                                       own};
const Operation table::embedding_operation{
    "embedding", "embedding(y)", "made by Embedding", kOneTensor, build, run, cost, false, divide};

}  // namespace dtp::ops

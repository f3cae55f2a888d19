#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"eps", Accepts::number, false, 1e-6},
                               {"shard", Accepts::word, false, 0, "none", "none|sequence"},
                               {"around_one", Accepts::flag, false, 0}};

// integers: whether the scale is 1 + weight. reals: eps.
Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, -1)) return *failure;
  if (!layer.made()) {
    layer.add_parameter(call.builder(), "weight", {{layer.width(), false}});
    layer.starts(call.builder(), call.flag(2) ? graph::Start::zeros : graph::Start::ones);
    layer.shard(call.builder(), call.word(1));
  }
  Attributes attributes;
  attributes.integers[0] = call.flag(2);
  attributes.reals[0] = call.number(0);
  Shape shape = call.builder()[x].shape;
  return call.emit(table::rms_norm_operation, {&x, 1}, attributes, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`RMSNorm` does"); }

// As GemmaRMSNorm does: (normal * (1 + weight32)).to(type). The product saves both factors in fp32.
Value scaled_around_one(Tape& tape, Value normal, Value weight, DType type) {
  if (eager::is_16_bit(weight.type())) weight = tape.cast(weight, DType::fp32, false);
  Value scale = eager::with_number(tape, weight, false);
  Value scaled = eager::multiply(tape, normal, scale);
  normal.reset();
  scale.reset();
  return tape.cast(scaled, type, false);
}

// As LlamaRMSNorm of transformers composes it, in fp32 whatever comes in:
// weight * (x32 * rsqrt(mean(x32^2) + eps)).to(x's type). The rules of its steps are theirs: the
// power saves the fp32 input, the product it and the reciprocal root, the last product the
// normalised input.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  DType type = x.type();
  Value wide = eager::is_16_bit(type) ? tape.cast(x, DType::fp32, false) : x;
  x.reset();
  Shape rows = wide.shape();
  rows[rows.rank() - 1] = {1, false};
  Value square = eager::square(tape, wide);
  Value variance = eager::mean(tape, square, rows);
  square.reset();
  variance = eager::with_number(tape, variance, false);
  Value root = eager::reciprocal_root(tape, variance);
  variance.reset();
  Value normal = eager::multiply(tape, wide, root);
  wide.reset();
  root.reset();
  Value weight = tape.parameter(graph.parameter(node, 0));
  if (node.attributes.integers[0] != 0) {
    tape.give(graph.output_of(node, 0), scaled_around_one(tape, std::move(normal), weight, type));
    return;
  }
  normal = tape.cast(normal, type, false);
  tape.give(graph.output_of(node, 0), eager::multiply(tape, weight, normal));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost = elementwise_cost(graph, node, 5, 6);
  cost.work = Work::normalization;
  return cost;
}

}  // namespace

const LayerKind table::RMSNorm_layer{"RMSNorm",
                                     "RMSNorm(eps = 1e-6, shard = none, around_one = false)(x)",
                                     "unit mean square over the last axis, then a trained scale; "
                                     "`around_one`: the scale is 1 + weight, in fp32, as in Gemma",
                                     kFormals, apply};
const Operation table::rms_norm_operation{
    "rms_norm", "rms_norm(x)", "made by RMSNorm", kOneTensor, build, run, cost, false, divide_rows};

}  // namespace dtp::ops

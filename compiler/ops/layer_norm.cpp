#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"affine", Accepts::flag, false, 1},
                               {"eps", Accepts::number, false, 1e-5},
                               {"bias", Accepts::flag, false, 1}};

// reals: eps.
Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, -1)) return *failure;
  if (call.flag(0) && !layer.made()) {
    layer.add_parameter(call.builder(), "weight", {{layer.width(), false}});
    layer.starts(call.builder(), graph::Start::ones);
    if (call.flag(2)) layer.add_parameter(call.builder(), "bias", {{layer.width(), false}});
  }
  Attributes attributes;
  attributes.reals[0] = call.number(1);
  Shape shape = call.builder()[x].shape;
  return call.emit(table::layer_norm_operation, {&x, 1}, attributes, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`LayerNorm` does"); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value weight, bias;
  if (node.parameters.count > 0) weight = tape.parameter(graph.parameter(node, 0));
  if (node.parameters.count > 1) bias = tape.parameter(graph.parameter(node, 1));
  tape.give(graph.output_of(node, 0), eager::layer_norm(tape, x, weight, bias));
}

}  // namespace

const LayerKind table::LayerNorm_layer{
    "LayerNorm", "LayerNorm(affine = true, eps = 1e-5, bias = true)(x)",
    "zero mean and unit variance over the last axis, then a trained scale and shift", kFormals,
    apply};
const Operation table::layer_norm_operation{
    "layer_norm",       "layer_norm(x)", "made by LayerNorm", kOneTensor, build, run,
    normalization_cost, false,           divide_rows};

}  // namespace dtp::ops

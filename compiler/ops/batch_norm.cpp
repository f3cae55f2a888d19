#include "ops/layer.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"eps", Accepts::number, false, 1e-5}};

// reals: eps. Parameters: weight, bias, and of the state dict alone the running mean and variance
// and the number of batches they are of.
Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, 1)) return *failure;
  Shape width = {{layer.width(), false}};
  if (!layer.made()) {
    layer.add_parameter(call.builder(), "weight", width);
    layer.starts(call.builder(), graph::Start::ones);
    layer.add_parameter(call.builder(), "bias", width);
    layer.add_statistics(call.builder(), "running_mean", width);
    layer.add_statistics(call.builder(), "running_var", width);
    layer.starts(call.builder(), graph::Start::ones);
    layer.add_statistics(call.builder(), "num_batches_tracked", {}, Element::integer);
  }
  Attributes attributes;
  attributes.reals[0] = call.number(0);
  Shape shape = call.builder()[x].shape;
  return call.emit(table::batch_norm_operation, {&x, 1}, attributes, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`BatchNorm` does"); }

// derivatives.yaml, `native_batch_norm`. It is on no autocast list: it runs in the type that comes
// in. The running statistics move in place; that a batch was seen is a number added in place.
// cuDNN's reserve buffer is no part of this.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value weight = tape.parameter(graph.parameter(node, 0));
  Value bias = tape.parameter(graph.parameter(node, 1));
  eager::change_in_place(tape, DType::int64);
  tape.give(graph.output_of(node, 0), eager::batch_norm(tape, x, weight, bias));
}

}  // namespace

const LayerKind table::BatchNorm_layer{
    "BatchNorm", "BatchNorm(eps = 1e-5)(x)",
    "zero mean and unit variance of each channel over the batch, then a trained scale and shift",
    kFormals, apply};
const Operation table::batch_norm_operation{
    "batch_norm", "batch_norm(x)", "made by BatchNorm", kOneTensor, build, run, normalization_cost,
    false};

}  // namespace dtp::ops

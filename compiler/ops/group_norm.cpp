#include "ops/layer.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"groups", Accepts::integer}, {"eps", Accepts::number, false, 1e-5}};

// integers: groups; reals: eps.
Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = layer.fix_width(call, x, 1)) return *failure;
  int64_t groups = call.integer(0);
  if (groups < 1 || layer.width() % groups != 0) {
    Failure failure = call.fail(std::to_string(layer.width()) + " channels do not divide into " +
                                    std::to_string(groups) + " groups",
                                0, "does not divide them");
    call.explain(failure, x);
    return failure;
  }
  if (!layer.made()) {
    layer.add_parameter(call.builder(), "weight", {{layer.width(), false}});
    layer.starts(call.builder(), graph::Start::ones);
    layer.add_parameter(call.builder(), "bias", {{layer.width(), false}});
  }
  Attributes attributes;
  attributes.integers[0] = groups;
  attributes.reals[0] = call.number(1);
  Shape shape = call.builder()[x].shape;
  return call.emit(table::group_norm_operation, {&x, 1}, attributes, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`GroupNorm` does"); }

// derivatives.yaml, `native_group_norm`: the statistics are of the input's type where the weight is
// too, else fp32. On autocast's fp32 list, as layer norm is: a 16-bit input is copied up, and the
// copy is saved.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Value weight = tape.parameter(graph.parameter(node, 0));
  Value bias = tape.parameter(graph.parameter(node, 1));
  Dim groups{node.attributes.integers[0], false};
  tape.give(graph.output_of(node, 0), eager::group_norm(tape, x, weight, bias, groups));
}

}  // namespace

const LayerKind table::GroupNorm_layer{
    "GroupNorm", "GroupNorm(groups, eps = 1e-5)(x)",
    "zero mean and unit variance over groups of channels, then a trained scale and shift", kFormals,
    apply};
const Operation table::group_norm_operation{
    "group_norm", "group_norm(x)", "made by GroupNorm", kOneTensor, build, run, normalization_cost,
    false};

}  // namespace dtp::ops

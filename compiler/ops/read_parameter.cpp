#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"shape", Accepts::dims},
                               {"trained", Accepts::flag, false, 0},
                               {"saved", Accepts::flag, false, 1}};

// As positions, class tokens and learned queries start in ViT, BERT and CLIP.
constexpr double kScale = 0.02;

Result apply(Call& call, LayerInstance& layer, TensorId) {
  Shape shape{std::span<const Dim>(call.dims(0))};
  for (Dim d : shape)
    if (d.batch)
      return call.fail("a `Buffer` cannot depend on the batch", 0, "B is among its sizes");
  if (!layer.made()) {
    bool trained = call.flag(1);
    layer.add_parameter(call.builder(), "", shape, trained, !trained, call.flag(2));
    layer.starts(call.builder(), graph::Start::normal, kScale);
  }
  return call.emit(table::read_parameter_operation, {}, {}, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Buffer` does"); }

void run(Tape& tape, const Graph& graph, const Node& node) {
  tape.give(graph.output_of(node, 0), tape.parameter(graph.parameter(node, 0)));
}

}  // namespace

const LayerKind table::Buffer_layer{"Buffer",
                                    "Buffer([sizes], trained = false, saved = true)",
                                    "a tensor of the model's own, trained or fixed",
                                    kFormals,
                                    apply,
                                    false};
const Operation table::read_parameter_operation{
    "read_parameter", "read_parameter()", "made by Buffer", {}, build, run, no_cost, false};

}  // namespace dtp::ops

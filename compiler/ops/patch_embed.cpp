#include "ops/common.h"
#include "ops/layer.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"patch", Accepts::integer}, {"hidden", Accepts::integer}};

// integers: patch.
Result apply(Call& call, LayerInstance& layer, TensorId x) {
  int64_t patch = call.integer(0), hidden = call.integer(1);
  const Shape image = call.builder()[x].shape;
  bool four = image.rank() == 4 && !image[1].batch && !image[2].batch && !image[3].batch;
  if (patch < 1 || hidden < 1 || !four || image[2].value % patch != 0 ||
      image[3].value % patch != 0) {
    Failure failure =
        call.fail("`PatchEmbed` cuts images [B, channels, height, width] into whole patches of " +
                      std::to_string(patch),
                  "applied to " + to_string(image));
    call.explain(failure, x);
    return failure;
  }
  if (auto failure = layer.fix_width(call, x, 1)) return *failure;
  Dim p{patch, false};
  if (!layer.made()) {
    layer.add_product(call.builder(), {{hidden, false}, image[1], p, p}, true, "proj.");
  }
  Attributes attributes;
  attributes.integers[0] = patch;
  Shape shape = {
      image[0], {image[2].value / patch * (image[3].value / patch), false}, {hidden, false}};
  return call.emit(table::patch_embed_operation, {&x, 1}, attributes, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`PatchEmbed` does"); }

// The patches as rows (a copy), times the kernel as a matrix: the same products as a convolution
// with that stride.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value image = tape.take(graph.input(node, 0));
  const Shape in = image.shape();
  Dim p{node.attributes.integers[0], false};
  Dim rows{in[2].value / p.value, false}, columns{in[3].value / p.value, false};
  Dim inputs{in[1].value * p.value * p.value, false};
  Value six = eager::view(tape, image, {in[0], in[1], rows, p, columns, p});
  image.reset();
  Value ordered = eager::permute(tape, six, {0, 2, 4, 1, 3, 5});
  six.reset();
  Value patches = eager::view(tape, ordered, {in[0], {rows.value * columns.value, false}, inputs});
  ordered.reset();
  Value kernel = tape.parameter(graph.parameter(node, 0));
  Value weight = eager::view(tape, kernel, {kernel.shape()[0], inputs});
  Value bias = tape.parameter(graph.parameter(node, 1));
  Value out = eager::linear(tape, std::move(patches), std::move(weight), std::move(bias));
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost cost(const Graph& graph, const Node& node) {
  double hidden = static_cast<double>(graph[graph.output_of(node, 0)].shape.back().value);
  Cost cost = product_cost(graph, node, graph[graph.input(node, 0)].shape.elements(), hidden);
  cost.kernels = 2;  // the copy of the patches before it
  return cost;
}

}  // namespace

const LayerKind table::PatchEmbed_layer{
    "PatchEmbed", "PatchEmbed(patch, hidden)(image)",
    "[B, C, H, W] as tokens [B, (H / patch) (W / patch), hidden]", kFormals, apply};
const Operation table::patch_embed_operation{
    "patch_embed", "patch_embed(image)", "made by PatchEmbed", kOneTensor, build, run, cost, false};

}  // namespace dtp::ops

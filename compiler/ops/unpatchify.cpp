#include "ops/common.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"x"}, {"patch", Accepts::integer}, {"size", Accepts::dims}};

// integers: patch.
Result build(Call& call) {
  const Shape x = call.shape(0);
  if (x.rank() != 3) return wrong_rank(call, 0, "[B, T, patch^2 * channels]");
  int64_t patch = call.integer(1);
  const auto& size = call.dims(2);
  if (size.size() != 2 || size[0].batch || size[1].batch)
    return call.fail("`unpatchify` wants the height and the width of the image", 2, "two sizes");
  bool cuts = patch > 0 && size[0].value % patch == 0 && size[1].value % patch == 0 &&
              x[2].value % (patch * patch) == 0 && !x[2].batch;
  if (!cuts || x[1] != Dim{(size[0].value / patch) * (size[1].value / patch), false}) {
    Failure failure =
        call.fail("patches of " + std::to_string(patch) + " from " + to_string(x) +
                      " do not fill " + to_string(size[0]) + " x " + to_string(size[1]),
                  2, "the image to fill");
    call.explain(failure, call.tensor(0));
    return failure;
  }
  Attributes attributes;
  attributes.integers[0] = patch;
  Shape shape = {x[0], {x[2].value / (patch * patch), false}, size[0], size[1]};
  return call.emit(table::unpatchify_operation, {call.tensor(0)}, attributes, shape);
}

void run(Tape& tape, const Graph& graph, const Node& node) {
  Value x = tape.take(graph.input(node, 0));
  Shape out = tape.shape(graph[graph.output_of(node, 0)].shape);
  Dim p{node.attributes.integers[0], false};
  Dim rows{out[2].value / p.value, false}, columns{out[3].value / p.value, false};
  Value six = eager::view(tape, x, {out[0], rows, columns, p, p, out[1]});
  Value ordered = eager::permute(tape, six, {0, 5, 1, 3, 2, 4});
  tape.give(graph.output_of(node, 0), eager::view(tape, ordered, out));
}

Cost cost(const Graph& graph, const Node& node) { return elementwise_cost(graph, node, 0); }

}  // namespace

const Operation table::unpatchify_operation{
    "unpatchify",
    "unpatchify(x, patch, [height, width])",
    "[B, T, patch^2 * C] as an image [B, C, height, width]; a copy",
    kFormals,
    build,
    run,
    cost};

}  // namespace dtp::ops

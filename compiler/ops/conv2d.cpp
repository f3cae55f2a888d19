#include "ops/layer.h"
#include "ops/spatial.h"

namespace dtp::ops {
namespace {

constexpr Formal kFormals[] = {{"out", Accepts::integer},
                               {"kernel", Accepts::integer},
                               {"stride", Accepts::integer, false, 1},
                               {"padding", Accepts::integer, false, 0},
                               {"groups", Accepts::integer, false, 1},
                               {"bias", Accepts::flag, false, 1}};

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = check_image(call, x)) return *failure;
  int64_t out = call.integer(0), kernel = call.integer(1), groups = call.integer(4);
  if (out < 1)
    return call.fail("`Conv2d` to " + std::to_string(out) + " channels", 0, "at least 1");
  auto places = slide(call, x, {kernel, call.integer(2), call.integer(3)}, 1);
  if (auto* failure = std::get_if<Failure>(&places)) return *failure;
  if (auto failure = layer.fix_width(call, x, 1)) return *failure;
  if (groups < 1 || layer.width() % groups != 0 || out % groups != 0) {
    Failure failure =
        call.fail(std::to_string(layer.width()) + " channels to " + std::to_string(out) +
                      " do not divide into " + std::to_string(groups) + " groups",
                  4, "must divide both");
    call.explain(failure, x);
    return failure;
  }
  if (!layer.made()) {
    Dim k{kernel, false};
    layer.add_parameter(call.builder(), "weight",
                        {{out, false}, {layer.width() / groups, false}, k, k});
    if (call.flag(5)) layer.add_parameter(call.builder(), "bias", {{out, false}});
  }
  auto [height, width] = std::get<std::pair<Dim, Dim>>(places);
  Shape shape = {call.builder()[x].shape[0], {out, false}, height, width};
  return call.emit(table::conv2d_operation, {&x, 1}, {}, {&shape, 1}, Element::real,
                   layer.parameters());
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Conv2d` does"); }

Value to_compute_type(Tape& tape, const Value& x) {
  return tape.autocast() ? tape.cast(x, tape.compute_type(), true) : x;
}

// derivatives.yaml, `convolution`: input and weight are saved together where any of the three needs
// a gradient; the backward step makes the gradients of input, weight and bias. Autocast runs it in
// the 16-bit type (autocast_mode.h). The library's workspace depends on the algorithm that cuDNN
// picks and is no part of this.
void run(Tape& tape, const Graph& graph, const Node& node) {
  Value bias;
  if (node.parameters.count > 1)
    bias = to_compute_type(tape, tape.parameter(graph.parameter(node, 1)));
  Value weight = to_compute_type(tape, tape.parameter(graph.parameter(node, 0)));
  Value x = to_compute_type(tape, tape.take(graph.input(node, 0)));
  x = tape.cast(x, weight.type(), false);
  Value out = tape.allocate(tape.shape(graph[graph.output_of(node, 0)].shape), x.type());
  std::vector<Value> saved{eager::detached(tape, x), eager::detached(tape, weight)};
  auto backward = [x_shape = x.shape(), w_shape = weight.shape(), needs_x = x.requires_grad(),
                   needs_w = weight.requires_grad(),
                   needs_b = bias && bias.requires_grad()](BackwardCall& call) {
    DType type = call.gradients[0].type();
    if (needs_x) call.results[0] = call.tape.allocate(x_shape, type);
    if (needs_w) call.results[1] = call.tape.allocate(w_shape, type);
    if (needs_b) call.results[2] = call.tape.allocate({w_shape[0]}, type);
  };
  if (bias)
    tape.record(out, {x, weight, bias}, std::move(saved), backward);
  else
    tape.record(out, {x, weight}, std::move(saved), backward);
  tape.give(graph.output_of(node, 0), std::move(out));
}

Cost cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::matmul;
  cost.kernels = 1;
  graph::Monomial out = graph[graph.output_of(node, 0)].shape.elements();
  const Shape& weight = graph[graph.parameter(node, 0)].shape;
  double products = static_cast<double>(weight[1].value) * static_cast<double>(weight[2].value) *
                    static_cast<double>(weight[3].value);
  cost.macs.add(out, products);
  cost.flops.add(out, 2 * products);
  if (node.parameters.count > 1) cost.flops.add(out);
  cost.weight_product = true;
  add_traffic(cost, graph, node);
  return cost;
}

}  // namespace

const LayerKind table::Conv2d_layer{
    "Conv2d", "Conv2d(out, kernel, stride = 1, padding = 0, groups = 1, bias = true)(x)",
    "a trained window that slides over images; its width is the channels of its first input",
    kFormals, apply};
const Operation table::conv2d_operation{
    "conv2d", "conv2d(x)", "made by Conv2d", kOneTensor, build, run, cost, false};

}  // namespace dtp::ops

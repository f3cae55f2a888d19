#include "ops/convolution.h"

namespace dtp::ops {
namespace {

Value to_compute_type(Tape& tape, const Value& x) {
  return tape.autocast() ? tape.cast(x, tape.compute_type(), true) : x;
}

}  // namespace

// integers: the strides, one an axis, then from the third on the paddings.
Result apply_convolution(Call& call, LayerInstance& layer, TensorId x, const Operation& operation) {
  auto axes = static_cast<size_t>(call.builder()[x].shape.rank() - 2);
  std::vector<Window> windows(axes);
  for (auto [argument, which] : {std::pair{size_t{1}, &Window::size},
                                 {size_t{2}, &Window::stride},
                                 {size_t{3}, &Window::padding}}) {
    auto values = for_each_axis(call, argument, axes);
    if (auto* failure = std::get_if<Failure>(&values)) return *failure;
    for (size_t i = 0; i < axes; ++i) windows[i].*which = std::get<std::vector<int64_t>>(values)[i];
  }
  int64_t out = call.integer(0), groups = call.integer(4);
  if (out < 1)
    return call.fail("`" + std::string(call.callee()) + "` to " + std::to_string(out) + " channels",
                     0, "at least 1");
  auto places = slide(call, x, windows, 1);
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
    Shape weight = {{out, false}, {layer.width() / groups, false}};
    for (const Window& w : windows) weight.push_back({w.size, false});
    layer.add_product(call.builder(), weight, call.flag(5));
  }
  Shape shape = {call.builder()[x].shape[0], {out, false}};
  for (Dim size : std::get<std::vector<Dim>>(places)) shape.push_back(size);
  Attributes attributes;
  for (size_t i = 0; i < axes; ++i) {
    attributes.integers[i] = windows[i].stride;
    attributes.integers[i + 2] = windows[i].padding;
  }
  return call.emit(operation, {&x, 1}, attributes, {&shape, 1}, Element::real, layer.parameters());
}

// derivatives.yaml, `convolution`: input and weight are saved together where any of the three needs
// a gradient; the backward step makes the gradients of input, weight and bias. Autocast runs it in
// the 16-bit type (autocast_mode.h). Over one axis PyTorch gives the same operation views with an
// axis of 1 (Convolution.cpp, `view4d`), which hold no memory. The library's workspace depends on
// the algorithm that cuDNN picks and is no part of this.
void run_convolution(Tape& tape, const Graph& graph, const Node& node) {
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

Cost convolution_cost(const Graph& graph, const Node& node) {
  Cost cost;
  cost.work = Work::matmul;
  cost.kernels = 1;
  graph::Monomial out = graph[graph.output_of(node, 0)].shape.elements();
  const Shape& weight = graph[graph.parameter(node, 0)].shape;
  double products = 1;
  for (int i = 1; i < weight.rank(); ++i) products *= static_cast<double>(weight[i].value);
  cost.macs.add(out, products);
  cost.flops.add(out, 2 * products);
  if (node.parameters.count > 1) cost.flops.add(out);
  cost.weight_product = true;
  add_traffic(cost, graph, node);
  return cost;
}

}  // namespace dtp::ops

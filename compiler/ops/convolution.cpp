#include "ops/convolution.h"

#include <array>

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

namespace {

// What a convolution works on where a CPU has no library for it: [B, C * window, places], each
// place's window as a column; a window of one place is the input itself (native/
// ConvolutionMM2d.cpp). Groups are convolutions one after another, of parts that are copied where
// there are several samples and joined at the end (Convolution.cpp).
struct Columns {
  Shape input, output, weight, columns;  // of one group
  int64_t groups = 1;
  bool none = false;

  Columns(const Node& node, const Shape& x, const Shape& out, const Shape& w)
      : input(x), output(out), weight(w), groups(x[1].value / w[1].value) {
    Dim window = w[1], places{1, false};
    none = true;
    for (int i = 2; i < w.rank(); ++i) {
      auto axis = static_cast<size_t>(i - 2);
      window.value *= w[i].value;
      places.value *= out[i].value;
      none = none && w[i].value == 1 && node.attributes.integers[axis] == 1 &&
             node.attributes.integers[axis + 2] == 0;
    }
    columns = {x[0], window, places};
    input[1].value /= groups;
    output[1].value /= groups;
    weight[0].value /= groups;
  }

  // A group's part of a tensor lies in one piece already where there is one sample.
  Value part(Tape& tape, const Shape& shape, DType type) const {
    return groups == 1 || is_one(shape[0]) ? Value() : tape.allocate(shape, type);
  }
  Value taken(Tape& tape, DType type) const {
    return none ? Value() : tape.allocate(columns, type);
  }
};

Value forward(Tape& tape, const Columns& c, const Shape& whole, DType type) {
  std::vector<Value> parts;
  for (int64_t i = 0; i < c.groups; ++i) {
    Value input = c.part(tape, c.input, type);
    Value columns = c.taken(tape, type);
    parts.push_back(tape.allocate(c.output, type));
  }
  return c.groups == 1 ? std::move(parts[0]) : tape.allocate(whole, type);
}

// What lies otherwise is joined while a product reads it.
Value joined(Tape& tape, const Value& x) {
  return graph::is_contiguous(x.layout()) ? Value() : tape.allocate(x.shape(), x.type());
}

struct ConvolutionStep {
  Shape input, weight;
  Columns columns;
  bool needs_input, needs_weight, needs_bias;

  // The gradients of one convolution; of a group the gradient `g` is a part that lies in one piece.
  std::array<Value, 3> one(Tape& tape, const Shape& x, const Shape& w, DType type,
                           const Value* g) const {
    std::array<Value, 3> made;
    if (needs_input) {
      Value read = g ? joined(tape, *g) : Value();
      made[0] = tape.allocate(x, type);
    }
    if (needs_bias) made[2] = tape.allocate({w[0]}, type);
    if (!needs_weight) return made;
    made[1] = tape.allocate(w, type);
    if (!tape.mechanisms().kernel_scratch) return made;
    Value read = g ? joined(tape, *g) : Value();
    Value taken = columns.taken(tape, type);
    return made;
  }

  std::array<Value, 3> in_groups(Tape& tape, DType type) const {
    std::vector<std::array<Value, 3>> parts;
    for (int64_t i = 0; i < columns.groups; ++i) {
      Value g = columns.part(tape, columns.output, type);
      Value x = columns.part(tape, columns.input, type);
      parts.push_back(one(tape, columns.input, columns.weight, type, nullptr));
    }
    std::array<Value, 3> whole;
    if (needs_input) whole[0] = tape.allocate(input, type);
    if (needs_weight) whole[1] = tape.allocate(weight, type);
    if (needs_bias) whole[2] = tape.allocate({weight[0]}, type);
    return whole;
  }

  void operator()(BackwardCall& call) const {
    const DType type = call.gradients[0].type();
    Value read = joined(call.tape, call.saved[0]);
    bool groups = call.tape.mechanisms().kernel_scratch && columns.groups > 1;
    std::array<Value, 3> made = groups ? in_groups(call.tape, type)
                                       : one(call.tape, input, weight, type, &call.gradients[0]);
    for (size_t i = 0; i < 3; ++i)
      if (made[i]) call.results[i] = std::move(made[i]);
  }
};

}  // namespace

// derivatives.yaml, `convolution`: input and weight are saved together where any of the three needs
// a gradient; the backward step makes the gradients of input, bias and weight. Autocast runs it in
// the 16-bit type (autocast_mode.h). Over one axis PyTorch gives the same operation views with an
// axis of 1 (Convolution.cpp, `view4d`), which hold no memory. The library's workspace depends on
// the algorithm that cuDNN picks and is no part of this.
void run_convolution(Tape& tape, const Graph& graph, const Node& node) {
  Value bias;
  if (node.parameters.count > 1)
    bias = to_compute_type(tape, tape.parameter(graph.parameter(node, 1)));
  Value weight = to_compute_type(tape, tape.parameter(graph.parameter(node, 0)));
  Value given = tape.take(graph.input(node, 0));
  Value x = tape.cast(to_compute_type(tape, given), weight.type(), false);
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Columns columns(node, x.shape(), shape, weight.shape());
  Value read = joined(tape, x);
  Value out = tape.mechanisms().kernel_scratch ? forward(tape, columns, shape, x.type())
                                               : tape.allocate(shape, x.type());
  read.reset();
  std::vector<Value> saved{eager::detached(tape, x), eager::detached(tape, weight)};
  ConvolutionStep backward{x.shape(),         weight.shape(),         columns,
                           x.requires_grad(), weight.requires_grad(), bias && bias.requires_grad()};
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

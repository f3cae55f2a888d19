#include "ops/convolution.h"

#include <array>
#include <cmath>

namespace dtp::ops {
namespace {

Value to_compute_type(Tape& tape, const Value& x) {
  return tape.autocast() ? tape.cast(x, tape.compute_type(), true) : x;
}

}  // namespace

namespace {

// In the order of torch's state dict: the bias was there before the weight was taken apart.
void add_normalised(Call& call, LayerInstance& layer, const Shape& weight) {
  double bound = 1 / std::sqrt(static_cast<double>(weight.slice(1, 3).elements().value));
  if (call.flag(5)) {
    layer.add_parameter(call.builder(), "bias", {weight[0]});
    layer.starts(call.builder(), graph::Start::uniform, bound);
  }
  layer.add_parameter(call.builder(), "weight_g", {{1, false}, {1, false}, weight[2]});
  layer.starts(call.builder(), graph::Start::ones);
  layer.add_parameter(call.builder(), "weight_v", weight);
  layer.starts(call.builder(), graph::Start::uniform, bound);
}

}  // namespace

// integers: the strides, one an axis, then from the third on the paddings.
Result apply_convolution(Call& call, LayerInstance& layer, TensorId x, const Operation& operation,
                         bool weight_norm) {
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
    if (weight_norm)
      add_normalised(call, layer, weight);
    else
      layer.add_product(call.builder(), weight, call.flag(5));
  }
  Shape shape = {call.builder()[x].shape[0], {out, false}};
  for (Dim size : std::get<std::vector<Dim>>(places)) shape.push_back(size);
  Attributes attributes;
  for (size_t i = 0; i < axes; ++i) {
    attributes.integers[i] = windows[i].stride;
    attributes.integers[i + 2] = windows[i].padding;
  }
  std::span<const graph::ParameterId> parameters = layer.parameters();
  if (!weight_norm)
    return call.emit(operation, {&x, 1}, attributes, {&shape, 1}, Element::real, parameters);
  size_t bias = parameters.size() - 2;
  Shape whole = call.builder()[parameters.back()].shape;
  Result made = call.emit(table::weight_norm_operation, {}, {}, {&whole, 1}, Element::real,
                          parameters.subspan(bias));
  if (std::holds_alternative<Failure>(made)) return made;
  TensorId inputs[] = {x, std::get<Tensors>(made)[0]};
  return call.emit(operation, inputs, attributes, {&shape, 1}, Element::real,
                   parameters.first(bias));
}

namespace {

// An axis of places as the width of an image (Convolution.cpp, `view4d`).
Layout as_image(const Layout& x) {
  if (x.rank() == 4) return x;
  Shape shape = {x.shape[0], x.shape[1], {1, false}, x.shape[2]};
  return {shape,
          {x.strides[0], x.strides[1], graph::numeric(x.shape[2]) * x.strides[2], x.strides[2]}};
}

// The order of axes that a convolution reads and writes: that of its input where it is one of two
// (thnn_conv_use_channels_last and cudnn_conv_suggest_memory_format of native/ConvUtils.h).
struct Format {
  bool channels_last = false;

  Layout of(const Shape& shape) const {
    if (!channels_last) return graph::contiguous(shape);
    if (shape.rank() == 4) return graph::channels_last(shape);
    return graph::without(graph::channels_last({shape[0], shape[1], {1, false}, shape[2]}), 2);
  }
  bool has(const Layout& layout) const { return graph::lie_alike(layout, of(layout.shape)); }

  Value make(Tape& tape, const Shape& shape, DType type) const {
    Value made = tape.allocate(shape, type);
    made->layout = of(shape);
    return made;
  }
  // What lies otherwise is copied while a product reads it.
  Value joined(Tape& tape, const Value& x) const {
    return has(x.layout()) ? Value() : make(tape, x.shape(), x.type());
  }
};

Format format_of(const Layout& x) { return {graph::is_channels_last(as_image(x))}; }

// A group's channels of a tensor, copied in the format of the whole where they do not lie in one
// piece already (Convolution.cpp, `subtensor`).
Value part_of(Tape& tape, const Value& whole, Dim channels) {
  Layout part = graph::with_size(whole.layout(), 1, channels);
  Format format = format_of(whole.layout());
  if (format.has(part)) return tape.alias(whole, part);
  return format.make(tape, part.shape, whole.type());
}

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

  Value taken(Tape& tape, DType type) const {
    return none ? Value() : tape.allocate(columns, type);
  }
};

Value forward(Tape& tape, const Columns& c, const Format& format, const Value& x,
              const Shape& whole) {
  std::vector<Value> parts;
  for (int64_t i = 0; i < c.groups; ++i) {
    Value input = c.groups > 1 ? part_of(tape, x, c.input[1]) : Value();
    Value columns = c.taken(tape, x.type());
    parts.push_back(format.make(tape, c.output, x.type()));
  }
  return c.groups == 1 ? std::move(parts[0]) : format.make(tape, whole, x.type());
}

struct ConvolutionStep {
  Shape input, weight;
  Columns columns;
  Format format;
  bool needs_input, needs_weight, needs_bias;

  // The gradients of one convolution, or of a group's.
  std::array<Value, 3> one(Tape& tape, const Shape& x, const Shape& w, DType type,
                           const Value& g) const {
    std::array<Value, 3> made;
    if (needs_input) {
      Value read = format.joined(tape, g);
      made[0] = format.make(tape, x, type);
    }
    if (needs_bias) made[2] = tape.allocate({w[0]}, type);
    if (!needs_weight) return made;
    made[1] = format.make(tape, w, type);
    if (!tape.mechanisms().kernel_scratch) return made;
    Value read = format.joined(tape, g);
    Value taken = columns.taken(tape, type);
    return made;
  }

  std::array<Value, 3> in_groups(Tape& tape, const Value& gradient,
                                 const Value& whole_input) const {
    DType type = gradient.type();
    std::vector<std::array<Value, 3>> parts;
    for (int64_t i = 0; i < columns.groups; ++i) {
      Value g = part_of(tape, gradient, columns.output[1]);
      Value x = part_of(tape, whole_input, columns.input[1]);
      parts.push_back(one(tape, columns.input, columns.weight, type, g));
    }
    std::array<Value, 3> whole;
    if (needs_input) whole[0] = format.make(tape, input, type);
    if (needs_weight) whole[1] = format.make(tape, weight, type);
    if (needs_bias) whole[2] = tape.allocate({weight[0]}, type);
    return whole;
  }

  void operator()(BackwardCall& call) const {
    const Value& g = call.gradients[0];
    bool groups = call.tape.mechanisms().kernel_scratch && columns.groups > 1;
    Value read = format.joined(call.tape, call.saved[0]);
    Value copied = format.joined(call.tape, call.saved[1]);
    std::array<Value, 3> made = groups ? in_groups(call.tape, g, read ? read : call.saved[0])
                                       : one(call.tape, input, weight, g.type(), g);
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
  // The weight is a parameter or, where it is made of others, the second input.
  bool own = node.inputs.count == 1;
  Value bias;
  if (node.parameters.count > own)
    bias = to_compute_type(tape, tape.parameter(graph.parameter(node, own)));
  Value made = own ? tape.parameter(graph.parameter(node, 0)) : tape.take(graph.input(node, 1));
  Value weight = to_compute_type(tape, made);
  Value given = tape.take(graph.input(node, 0));
  Value x = tape.cast(to_compute_type(tape, given), weight.type(), false);
  Shape shape = tape.shape(graph[graph.output_of(node, 0)].shape);
  Columns columns(node, x.shape(), shape, weight.shape());
  // Over one axis it is always the usual one.
  Format format = shape.rank() == 4 ? format_of(x.layout()) : Format();
  bool scratch = tape.mechanisms().kernel_scratch;
  Value read = format.joined(tape, x);
  Value copied = format.joined(tape, weight);
  Value out = scratch ? forward(tape, columns, format, read ? read : x, shape)
                      : format.make(tape, shape, x.type());
  read.reset();
  std::vector<Value> saved{eager::detached(tape, x), eager::detached(tape, weight)};
  ConvolutionStep backward{x.shape(),
                           weight.shape(),
                           columns,
                           format,
                           x.requires_grad(),
                           weight.requires_grad(),
                           bias && bias.requires_grad()};
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
  bool own = node.inputs.count == 1;
  const Shape& weight =
      own ? graph[graph.parameter(node, 0)].shape : graph[graph.input(node, 1)].shape;
  double products = 1;
  for (int i = 1; i < weight.rank(); ++i) products *= static_cast<double>(weight[i].value);
  cost.macs.add(out, products);
  cost.flops.add(out, 2 * products);
  if (node.parameters.count > own) cost.flops.add(out);
  cost.weight_product = true;
  add_traffic(cost, graph, node);
  return cost;
}

}  // namespace dtp::ops

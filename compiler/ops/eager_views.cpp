// Views share memory. What they do to gradients: LibTorch 1.13 and PyTorch 2.x alike (autograd's
// derivatives.yaml).
#include <array>

#include "ops/eager.h"

namespace dtp::ops::eager {
namespace {

Value window(Tape& tape, const Value& x, const Layout& layout, Backward backward) {
  Value out = tape.alias(x, layout);
  tape.record(out, {x}, {}, std::move(backward));
  return out;
}

// A gradient in another shape: the same memory where strides allow, else a copy.
Value reshaped(Tape& tape, const Value& g, const Shape& shape) {
  if (auto layout = graph::viewed(g.layout(), shape)) return tape.alias(g, *layout);
  return tape.allocate(shape, g.type());
}

}  // namespace

Value detached(Tape& tape, const Value& x) { return tape.alias(x, x.layout()); }

Value raised(Tape& tape, const Value& x, bool listed) {
  return raises(tape, listed, x) ? tape.cast(x, DType::fp32, false) : x;
}

Value resampled(Tape& tape, const Value& x, const Shape& shape, std::vector<Value> saved) {
  Value out = tape.allocate(shape, x.type());
  tape.record(out, {x}, std::move(saved), [whole = x.shape()](BackwardCall& call) {
    call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
  });
  return out;
}

void scratch(Tape& tape, const Shape& shape, DType type, int times) {
  std::vector<Value> held;
  held.reserve(times);
  for (int i = 0; i < times; ++i) held.push_back(tape.allocate(shape, type));
}

Value view(Tape& tape, const Value& x, const Shape& shape) {
  auto backward = [from = x.shape()](BackwardCall& call) {
    call.results[0] = reshaped(call.tape, call.gradients[0], from);
  };
  if (auto layout = graph::viewed(x.layout(), shape)) return window(tape, x, *layout, backward);
  Value out = tape.allocate(shape, x.type());
  tape.record(out, {x}, {}, backward);
  return out;
}

Value contiguous(Tape& tape, const Value& x) {
  if (graph::is_contiguous(x.layout())) return x;
  Value out = tape.allocate(x.shape(), x.type());
  tape.record(out, {x}, {}, [](BackwardCall& call) { call.results[0] = call.gradients[0]; });
  return out;
}

Value permute(Tape& tape, const Value& x, std::span<const int> order) {
  std::array<int, graph::kMostDims> inverse{};
  int at = 0;
  for (int from : order) inverse[static_cast<size_t>(from)] = at++;
  auto rank = order.size();
  return window(tape, x, graph::permuted(x.layout(), order), [inverse, rank](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.alias(g, graph::permuted(g.layout(), {inverse.data(), rank}));
  });
}

Value transpose(Tape& tape, const Value& x, int a, int b) {
  return window(tape, x, graph::transposed(x.layout(), a, b), [a, b](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.alias(g, graph::transposed(g.layout(), a, b));
  });
}

Value unsqueeze(Tape& tape, const Value& x, int axis) {
  Shape shape = x.shape();
  shape.insert(axis, {1, false});
  return view(tape, x, shape);
}

Value expand(Tape& tape, const Value& x, const Shape& shape) {
  // The sum over what was repeated is made when the gradient is handed on.
  return window(tape, x, graph::expanded(x.layout(), shape),
                [](BackwardCall& call) { call.results[0] = call.gradients[0]; });
}

// Backward: one tensor of the whole, into which the parts' gradients are stacked.
std::vector<Value> unbind(Tape& tape, const Value& x, int axis) {
  Layout part = graph::without(x.layout(), axis);
  std::vector<Value> outputs;
  for (int64_t i = 0; i < x.shape()[axis].value; ++i) outputs.push_back(tape.alias(x, part));
  tape.record(outputs, {&x, 1}, {}, [whole = x.shape(), type = x.type()](BackwardCall& call) {
    call.results[0] = call.tape.allocate(whole, type);
  });
  return outputs;
}

// Backward: zeros for parts that got no gradient, then all joined.
std::vector<Value> split(Tape& tape, const Value& x, int64_t parts, int axis) {
  graph::Dim size = x.shape()[axis];
  size.value /= parts;
  Layout part = graph::with_size(x.layout(), axis, size);
  std::vector<Value> outputs;
  outputs.reserve(parts);
  for (int64_t i = 0; i < parts; ++i) outputs.push_back(tape.alias(x, part));
  tape.record(outputs, {&x, 1}, {},
              [whole = x.shape(), part = part.shape, type = x.type()](BackwardCall& call) {
                std::vector<Value> zeros;
                for (const Value& g : call.gradients)
                  if (!g) zeros.push_back(call.tape.allocate(part, type));
                call.results[0] = call.tape.allocate(whole, type);
              });
  return outputs;
}

// Backward: zeros of the whole, the part written in.
Value slice(Tape& tape, const Value& x, int axis, graph::Dim size) {
  return window(tape, x, graph::with_size(x.layout(), axis, size),
                [whole = x.shape()](BackwardCall& call) {
                  call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
                });
}

Value select(Tape& tape, const Value& x, int axis) {
  return window(tape, x, graph::without(x.layout(), axis), [whole = x.shape()](BackwardCall& call) {
    call.results[0] = call.tape.allocate(whole, call.gradients[0].type());
  });
}

// Backward: each part gets a window on the gradient, which keeps all of it alive.
Value concat(Tape& tape, std::span<const Value> parts, const Shape& shape, int axis) {
  DType type = parts[0].type();
  for (const Value& p : parts) type = promoted(type, p.type());
  Value out = tape.allocate(shape, type);
  // Parts of a lesser type are copied as their turn comes.
  for (const Value& p : parts)
    if (tape.mechanisms().promotion_copies && p.type() != type) like(tape, p).reset();
  std::vector<graph::Dim> sizes;
  for (const Value& p : parts) sizes.push_back(p.shape()[axis]);
  tape.record({&out, 1}, parts, {}, [sizes, axis](BackwardCall& call) {
    const Value& g = call.gradients[0];
    for (size_t i = 0; i < sizes.size(); ++i)
      call.results[i] = call.tape.alias(g, graph::with_size(g.layout(), axis, sizes[i]));
  });
  return out;
}

}  // namespace dtp::ops::eager

// Softmax, normalisation and sums.
#include "ops/eager.h"

namespace dtp::ops::eager {
namespace {

Value norm_parameter(Tape& tape, const Value& parameter, DType type) {
  bool casts = parameter && is_16_bit(type) && tape.mechanisms().norm_casts_weights;
  return casts ? tape.cast(parameter, type, false) : parameter;
}

constexpr int64_t kThreads = 1;

// Kernels read rows: what lies otherwise is copied while they run.
Value as_rows(Tape& tape, const Value& x) {
  return graph::is_contiguous(x.layout()) ? Value() : tape.allocate(x.shape(), x.type());
}

void kernel_scratch(Tape& tape, const Shape& shape, DType type) {
  if (tape.mechanisms().kernel_scratch) scratch(tape, shape, type, 2);
}

// The gradient of a reduction as the whole sees it: repeated along what vanished.
Layout repeated(const Layout& gradient, const Shape& whole, unsigned vanished) {
  if (gradient.rank() == whole.rank()) return graph::expanded(gradient, whole);
  Layout layout{whole, {}};
  size_t next = 0;
  for (int i = 0; i < whole.rank() && gradient.rank() > 0; ++i)
    if ((vanished >> i & 1) == 0) layout.strides[static_cast<size_t>(i)] = gradient.strides[next++];
  return layout;
}

}  // namespace

// Saves its result. Under CUDA autocast it runs in fp32 (autocast's fp32 list), the raised input
// living while it runs.
Value softmax(Tape& tape, const Value& x) {
  Value input = raises(tape, tape.mechanisms().autocast_fp32_softmax, x)
                    ? tape.cast(x, DType::fp32, false)
                    : x;
  Value out = tape.allocate(input.shape(), input.type());
  as_rows(tape, input).reset();
  tape.record(out, {input}, {detached(tape, out)}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.allocate(g.shape(), g.type());
    as_rows(call.tape, g).reset();
  });
  return out;
}

// Saves its input, weight, mean and reciprocal deviation, one each a sample and group. Backward of
// the CPU: two sums a sample and channel.
Value group_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias,
                 graph::Dim groups) {
  Value given = raised(tape, x, tape.mechanisms().autocast_fp32_norm);
  Value scale = norm_parameter(tape, weight, given.type());
  Value shift = norm_parameter(tape, bias, given.type());
  Value input = contiguous(tape, given);
  Shape each = {x.shape()[0], groups}, channels = {x.shape()[0], x.shape()[1]};
  DType statistics = scale.type() == input.type() ? input.type() : DType::fp32;
  Value out = like(tape, input);
  std::vector<Value> saved{detached(tape, input), detached(tape, scale),
                           tape.allocate(each, statistics), tape.allocate(each, statistics)};
  tape.record(out, {input, scale, shift}, std::move(saved),
              [needs_x = input.requires_grad(), learns_scale = scale.requires_grad(),
               learns_shift = shift.requires_grad(), channels, width = weight.shape(),
               type = scale.type()](BackwardCall& call) {
                const Value& g = call.gradients[0];
                Value joined = as_rows(call.tape, g);
                if (needs_x) call.results[0] = call.tape.allocate(g.shape(), g.type());
                if (learns_scale) call.results[1] = call.tape.allocate(width, type);
                if (learns_shift) call.results[2] = call.tape.allocate(width, type);
                kernel_scratch(call.tape, channels, g.type());
              });
  return out;
}

// In training: saves its input, weight and the batch's mean and reciprocal deviation, fp32, one
// each a channel. The CPU sums into two more before, and scales by two more after.
Value batch_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias) {
  Shape width = weight.shape();
  std::vector<Value> saved{detached(tape, x), detached(tape, weight),
                           tape.allocate(width, DType::fp32), tape.allocate(width, DType::fp32)};
  kernel_scratch(tape, width, DType::fp32);
  Value out = like(tape, x);
  kernel_scratch(tape, width, DType::fp32);
  tape.record(
      out, {x, weight, bias}, std::move(saved),
      [needs_x = x.requires_grad(), learns_scale = weight.requires_grad(),
       learns_shift = bias.requires_grad(), width, type = weight.type()](BackwardCall& call) {
        const Value& g = call.gradients[0];
        if (needs_x) call.results[0] = like(call.tape, g);
        if (learns_scale) call.results[1] = call.tape.allocate(width, type);
        if (learns_shift) call.results[2] = call.tape.allocate(width, type);
        if (call.tape.mechanisms().kernel_scratch) Value whole = like(call.tape, g);
      });
  return out;
}

// Backward of the CPU: each thread sums the gradients of weight and bias in rows of its own
// (native/cpu/layer_norm_kernel.cpp). Predicted is one thread: others take a row of each more.
Value layer_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias) {
  Value input = raised(tape, x, tape.mechanisms().autocast_fp32_norm);
  Value scale = norm_parameter(tape, weight, input.type());
  Value shift = norm_parameter(tape, bias, input.type());
  bool affine = static_cast<bool>(scale), biased = static_cast<bool>(shift);
  Value joined = as_rows(tape, input);
  Value out = tape.allocate(input.shape(), input.type());
  DType statistics = tape.mechanisms().fp32_statistics ? DType::fp32 : input.type();
  Shape rows = x.shape().slice(0, x.shape().rank() - 1);
  Value mean = tape.allocate(rows, statistics);
  Value deviation = tape.allocate(rows, statistics);
  joined.reset();
  std::vector<Value> saved{detached(tape, input), mean, deviation};
  if (affine) saved.push_back(detached(tape, scale));
  if (biased) saved.push_back(detached(tape, shift));
  mean.reset();
  deviation.reset();
  const bool learns_scale = affine && scale.requires_grad();
  const bool learns_shift = biased && shift.requires_grad();
  auto backward = [learns_scale, learns_shift, needs_x = input.requires_grad(),
                   width = Shape{x.shape().back()},
                   sum_rows = Shape{{2 * kThreads, false}, x.shape().back()},
                   type = affine ? scale.type() : DType::fp32](BackwardCall& call) {
    const Value& g = call.gradients[0];
    Value input_rows = as_rows(call.tape, call.saved[0]);
    if (needs_x) call.results[0] = call.tape.allocate(g.shape(), g.type());
    if (learns_scale) call.results[1] = call.tape.allocate(width, type);
    if (learns_shift) call.results[2] = call.tape.allocate(width, type);
    Value gradient_rows = as_rows(call.tape, g);
    if ((learns_scale || learns_shift) && call.tape.mechanisms().kernel_scratch)
      Value sums = call.tape.allocate(sum_rows, type);
  };
  if (biased)
    tape.record(out, {input, scale, shift}, std::move(saved), backward);
  else if (affine)
    tape.record(out, {input, scale}, std::move(saved), backward);
  else
    tape.record(out, {input}, std::move(saved), backward);
  return out;
}

// The sum, scaled in place where no kernel does both. Backward: the gradient is expanded, then
// divided into new memory.
Value mean(Tape& tape, const Value& x, const Shape& shape, unsigned vanished) {
  Value out = tape.allocate(shape, x.type());
  change_in_place(tape, x.type());
  std::vector<Value> saved;
  if (tape.mechanisms().mean_keeps_input && shape.rank() > 0) saved.push_back(detached(tape, x));
  tape.record(out, {x}, std::move(saved), [whole = x.shape(), vanished](BackwardCall& call) {
    const Value& g = call.gradients[0];
    Value wide = call.tape.alias(g, repeated(g.layout(), whole, vanished));
    WrappedNumber number(call.tape, g.type());
    call.results[0] = like(call.tape, wide);
  });
  return out;
}

// Backward: an expanded view; whoever uses it makes it real.
Value sum(Tape& tape, const Value& x, const Shape& shape, unsigned vanished) {
  bool raised = raises(tape, tape.mechanisms().autocast_fp32_sum, x);
  Value out = tape.allocate(shape, raised ? DType::fp32 : x.type());
  tape.record(out, {x}, {}, [whole = x.shape(), vanished](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.alias(g, repeated(g.layout(), whole, vanished));
  });
  return out;
}

}  // namespace dtp::ops::eager

// Softmax, normalisation and sums.
#include "ops/eager.h"

namespace dtp::ops::eager {
namespace {

Value like(Tape& tape, const Value& g) { return tape.allocate(g.shape(), g.type()); }

}  // namespace

// Saves its result. Under CUDA autocast it runs in fp32 (autocast's fp32 list), the raised input
// living while it runs.
Value softmax(Tape& tape, const Value& x) {
  Value input = raises(tape, tape.mechanisms().autocast_fp32_softmax, x)
                    ? tape.cast(x, DType::fp32, false)
                    : x;
  Value out = like(tape, input);
  tape.record(out, {input}, {detached(tape, out)},
              [](BackwardCall& call) { call.results[0] = like(call.tape, call.gradients[0]); });
  return out;
}

// Saves its input, mean and reciprocal deviation (one each a row), and the weights, which are
// parameters.
Value channel_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias,
                   const Shape& each, DType statistics) {
  Value out = tape.allocate(x.shape(), x.type());
  std::vector<Value> saved{detached(tape, x), tape.allocate(each, statistics),
                           tape.allocate(each, statistics)};
  tape.record(out, {x, weight, bias}, std::move(saved),
              [needs_x = x.requires_grad(), width = weight.shape(),
               type = weight.type()](BackwardCall& call) {
                const Value& g = call.gradients[0];
                if (needs_x) call.results[0] = call.tape.allocate(g.shape(), g.type());
                call.results[1] = call.tape.allocate(width, type);
                call.results[2] = call.tape.allocate(width, type);
              });
  return out;
}

Value layer_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias) {
  Value input = raised(tape, x, tape.mechanisms().autocast_fp32_norm);
  Value out = like(tape, input);
  DType statistics = tape.mechanisms().fp32_statistics ? DType::fp32 : input.type();
  Shape rows = x.shape().slice(0, x.shape().rank() - 1);
  Value mean = tape.allocate(rows, statistics);
  Value deviation = tape.allocate(rows, statistics);
  std::vector<Value> saved{detached(tape, input), mean, deviation};
  mean.reset();
  deviation.reset();
  bool affine = static_cast<bool>(weight), biased = static_cast<bool>(bias);
  auto backward = [affine, biased, needs_x = input.requires_grad(), width = Shape{x.shape().back()},
                   type = affine ? weight.type() : DType::fp32](BackwardCall& call) {
    if (needs_x) call.results[0] = like(call.tape, call.gradients[0]);
    if (affine) call.results[1] = call.tape.allocate(width, type);
    if (biased) call.results[2] = call.tape.allocate(width, type);
  };
  if (biased)
    tape.record(out, {input, weight, bias}, std::move(saved), backward);
  else if (affine)
    tape.record(out, {input, weight}, std::move(saved), backward);
  else
    tape.record(out, {input}, std::move(saved), backward);
  return out;
}

// Backward: the gradient is expanded, then divided into new memory.
Value mean(Tape& tape, const Value& x, const Shape& shape) {
  if (!tape.mechanisms().mean_keeps_input || shape.rank() == 0) return resampled(tape, x, shape);
  return resampled(tape, x, shape, {detached(tape, x)});
}

// Backward: an expanded view; whoever uses it makes it real.
Value sum(Tape& tape, const Value& x, const Shape& shape) {
  bool raised = raises(tape, tape.mechanisms().autocast_fp32_sum, x);
  Value out = tape.allocate(shape, raised ? DType::fp32 : x.type());
  tape.record(out, {x}, {}, [whole = x.shape()](BackwardCall& call) {
    Layout repeated{whole, {}};
    call.results[0] = call.tape.alias(call.gradients[0], repeated);
  });
  return out;
}

}  // namespace dtp::ops::eager

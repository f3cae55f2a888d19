// Matrix products. Backward order as in LibTorch 1.13: input, weight, then the sum for the bias.
#include "ops/eager.h"

namespace dtp::ops::eager {
namespace {

Value to_compute_type(Tape& tape, const Value& x) {
  if (!tape.autocast() || (x.type() != DType::fp32 && !is_16_bit(x.type()))) return x;
  return tape.cast(x, tape.compute_type(), true);
}

// [.., M, K] as [batches, M, K]: one batch dimension, a copy where strides demand it.
Value one_batch(Tape& tape, const Value& x) {
  int rank = x.shape().rank();
  graph::Dim batches{1, false};
  for (int i = 0; i + 2 < rank; ++i) {
    batches.value *= x.shape()[i].value;
    batches.batch |= x.shape()[i].batch;
  }
  return view(tape, x, {batches, x.shape()[rank - 2], x.shape()[rank - 1]});
}

// Both operands are saved; both gradients exist at once.
Value batched(Tape& tape, const Value& a, const Value& b) {
  Value out = tape.allocate({a.shape()[0], a.shape()[1], b.shape()[2]}, a.type());
  Value for_b = b.requires_grad() ? detached(tape, a) : Value();
  Value for_a = a.requires_grad() ? detached(tape, b) : Value();
  tape.record(out, {a, b}, {for_b, for_a},
              [a_shape = a.shape(), b_shape = b.shape()](BackwardCall& call) {
                DType type = call.gradients[0].type();
                if (call.saved[0]) call.results[1] = call.tape.allocate(b_shape, type);
                if (call.saved[1]) call.results[0] = call.tape.allocate(a_shape, type);
              });
  return out;
}

}  // namespace

Value linear(Tape& tape, Value x, Value weight, Value bias, const Shape* gathered) {
  // The casts are arguments of one call, evaluated from the last to the first. What was cast lives
  // until it returns.
  if (bias) bias = to_compute_type(tape, bias);
  weight = to_compute_type(tape, weight);
  // Products take one type: what comes in another is cast to that of the weight.
  Value rows = contiguous(tape, tape.cast(to_compute_type(tape, x), weight.type(), false));
  Shape shape = gathered ? *gathered : rows.shape();
  const Shape whole = shape;
  shape[shape.rank() - 1] = weight.shape()[0];
  Value out = tape.allocate(shape, rows.type());
  Value for_weight = weight.requires_grad() ? detached(tape, rows) : Value();
  Value for_input = rows.requires_grad() ? detached(tape, weight) : Value();
  auto backward = [whole, x_shape = rows.shape(), w_shape = weight.shape(),
                   needs_x = rows.requires_grad(), needs_w = weight.requires_grad(),
                   first = bias ? 1u : 0u](BackwardCall& call) {
    const Value& g = call.gradients[0];
    if (first) call.results[0] = g;
    // Views: of rows as [.., rows, width], and of a transposed product.
    if (needs_x) {
      Value of_input = call.tape.allocate(whole, g.type());
      if (whole != x_shape) of_input = call.tape.allocate(x_shape, g.type());
      call.results[first] = detached(call.tape, of_input);
    }
    if (needs_w)
      call.results[first + 1] = detached(call.tape, call.tape.allocate(w_shape, g.type()));
  };
  if (bias)
    tape.record(out, {bias, rows, weight}, {for_weight, for_input}, backward);
  else
    tape.record(out, {rows, weight}, {for_weight, for_input}, backward);
  return out;
}

Value matmul(Tape& tape, Value left_operand, Value right_operand) {
  Value b = to_compute_type(tape, right_operand);
  Value a = to_compute_type(tape, left_operand);
  int rank = std::max(a.shape().rank(), b.shape().rank());
  Shape shape = a.shape().slice(0, a.shape().rank() - 1);
  shape.push_back(b.shape().back());
  if (b.shape().rank() == 2 && a.shape().rank() != 2) {
    Value all = view(tape, b, {{1, false}, b.shape()[0], b.shape()[1]});
    Shape rows = {{1, false}, {1, false}, a.shape().back()};
    for (int i = 0; i + 1 < a.shape().rank(); ++i) {
      graph::Dim merged = rows[1];
      rows[1] = {merged.value * a.shape()[i].value, merged.batch || a.shape()[i].batch};
    }
    return view(tape, batched(tape, view(tape, a, rows), all), shape);
  }
  if (rank > 2) {
    for (int i = 0; i + 2 < rank && i + 2 < a.shape().rank(); ++i)
      if (i < b.shape().rank() - 2 && a.shape()[i].value == 1 && !a.shape()[i].batch)
        shape[i] = b.shape()[i];
    Shape left = shape, right = shape;
    left[rank - 2] = a.shape()[a.shape().rank() - 2];
    left[rank - 1] = a.shape().back();
    right[rank - 2] = b.shape()[b.shape().rank() - 2];
    right[rank - 1] = b.shape().back();
    if (a.shape() != left) a = expand(tape, a, left);
    if (b.shape() != right) b = expand(tape, b, right);
  }
  Value left = one_batch(tape, a);
  Value right = one_batch(tape, b);
  return view(tape, batched(tape, left, right), shape);
}

}  // namespace dtp::ops::eager

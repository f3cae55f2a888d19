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

namespace {

// What a product reads has one axis without gaps (addmm_impl_cpu_ of native/LinearAlgebra.cpp,
// prepare_matrix_for_cublas of native/cuda/Blas.cpp): other matrices are copied while it runs.
bool is_matrix(const Layout& m) {
  auto fits = [&](int inner, int outer) {
    return m.strides[static_cast<size_t>(inner)] == 1 &&
           m.strides[static_cast<size_t>(outer)] >= std::max<int64_t>(1, numeric(m.shape[inner]));
  };
  return fits(0, 1) || fits(1, 0);
}

struct LinearStep {
  Shape whole, rows, input, weight;  // what is multiplied, also as a matrix; the rank's part of it
  bool needs_input, needs_weight, biased;
  // With a bias up to three axes are one product (Linear.cpp); others are a product and a sum in
  // place, whose gradient comes first.
  bool fused;

  void operator()(BackwardCall& call) const {
    Tape& tape = call.tape;
    Value& g = call.gradients[0];
    const DType type = g.type();
    const unsigned first = biased ? 1 : 0;
    if (biased && fused) call.results[0] = g;
    if (biased && !fused) call.results[0] = tape.allocate({weight[0]}, type);
    auto as_rows = graph::viewed(g.layout(), rows);
    if (!as_rows) {
      g = tape.allocate(rows, type);
      if (biased && fused) call.results[0] = g;
      as_rows = g.layout();
    }
    const bool reads = is_matrix(*as_rows);
    auto of_input = [&] {
      if (!needs_input) return;
      Value made = tape.allocate(whole, type);
      if (!reads) scratch(tape, rows, type);
      if (whole != input) made = tape.allocate(input, type);
      call.results[first] = detached(tape, made);  // as [.., rows, width]
    };
    if (fused) of_input();
    if (needs_weight) {
      Value made = tape.allocate(weight, type);
      if (!reads) scratch(tape, rows, type);
      call.results[first + 1] = detached(tape, made);  // of a transposed product
    }
    if (!fused) of_input();
  }
};

}  // namespace

Value linear(Tape& tape, Value x, Value weight, Value bias, const Shape* gathered) {
  // What lies otherwise is joined in the type of the product. Then the casts are arguments of one
  // call, evaluated from the last to the first. What was cast lives until it returns.
  bool casts = tape.autocast() && (x.type() == DType::fp32 || is_16_bit(x.type()));
  bool joins = !graph::is_contiguous(x.layout());
  Value rows;
  if (joins && casts && x.type() != tape.compute_type()) {
    rows = tape.cast(x, tape.compute_type(), false);
    rows->layout = graph::contiguous(rows.shape());
  } else if (joins) {
    rows = contiguous(tape, x);
  }
  if (bias) bias = to_compute_type(tape, bias);
  weight = to_compute_type(tape, weight);
  // Products take one type: what comes in another is cast to that of the weight.
  rows = tape.cast(to_compute_type(tape, joins ? rows : x), weight.type(), false);
  Shape shape = gathered ? *gathered : rows.shape();
  const int rank = shape.rank();
  LinearStep step{shape,
                  {{1, false}, shape.back()},
                  rows.shape(),
                  weight.shape(),
                  rows.requires_grad(),
                  weight.requires_grad(),
                  static_cast<bool>(bias),
                  bias && rank <= 3};
  for (int i = 0; i + 1 < rank; ++i)
    step.rows[0] = {step.rows[0].value * shape[i].value, step.rows[0].batch || shape[i].batch};
  step.rows[1] = weight.shape()[0];
  shape[rank - 1] = weight.shape()[0];
  Value out = tape.allocate(shape, rows.type());
  Value for_weight = weight.requires_grad() ? detached(tape, rows) : Value();
  Value for_input = rows.requires_grad() ? detached(tape, weight) : Value();
  if (bias)
    tape.record(out, {bias, rows, weight}, {for_weight, for_input}, step);
  else
    tape.record(out, {rows, weight}, {for_weight, for_input}, step);
  return out;
}

Value linear_of_blocks(Tape& tape, const Value& x, const Shape& weight, const Value& bias,
                       bool keeps_input) {
  const DType type = tape.autocast() ? tape.compute_type() : x.type();
  Value rows = tape.cast(x, type, false);
  Value added = bias ? tape.cast(bias, type, false) : Value();
  Shape shape = rows.shape();
  shape[shape.rank() - 1] = weight[0];
  Value numbers = tape.allocate(weight, type);
  Value out = tape.allocate(shape, type);
  numbers.reset();
  Value kept = keeps_input && rows.requires_grad() ? detached(tape, rows) : Value();
  tape.record(out, {rows}, {kept}, [weight, input = rows.shape()](BackwardCall& call) {
    Value again = call.tape.allocate(weight, call.gradients[0].type());
    call.results[0] = call.tape.allocate(input, call.gradients[0].type());
  });
  return tape.cast(out, x.type(), false);
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

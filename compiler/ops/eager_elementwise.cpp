// Arithmetic by element. Proof: event traces of LibTorch 1.13 on the CPU; PyTorch 2.x by its
// sources where said.
#include <algorithm>
#include "ops/call.h"

#include "ops/eager.h"

namespace dtp::ops::eager {
namespace {

Shape combined(const Value& a, const Value& b) {
  auto shape = broadcast(a.shape(), b.shape());
  return shape ? *shape : a.shape();
}

// One number beside others of its kind does not raise them (native/TypeProperties.cpp,
// `result_type`).
DType promoted_with(const Value& a, const Value& b) {
  bool one_number = (a.shape().rank() == 0) != (b.shape().rank() == 0);
  const Value& ranked = a.shape().rank() == 0 ? b : a;
  auto is_real = [](DType t) { return is_16_bit(t) || t == DType::fp32 || t == DType::fp64; };
  bool real = is_real(a.type()) && is_real(b.type());
  return one_number && real ? ranked.type() : promoted(a.type(), b.type());
}

// The bare computation: copies of operands of a lesser type live as long as it runs.
Value compute(Tape& tape, const Value& a, const Value& b) {
  DType type = promoted_with(a, b);
  Value copies[2];
  if (tape.mechanisms().promotion_copies) {
    if (a.type() != type) copies[0] = like(tape, a, type);
    if (b.type() != type) copies[1] = like(tape, b, type);
  }
  Value out = tape.allocate(combined(a, b), type);
  const Layout* operands[] = {&a.layout(), &b.layout()};
  out->layout = graph::by_element(out.shape(), operands);
  return out;
}

Value compute_with_number(Tape& tape, const Value& x) {
  WrappedNumber number(tape, x.type());
  return like(tape, x);
}

// The number of a backward step is a tensor of 8 bytes like others: a gradient that is one number
// takes its type.
Value times_number(Tape& tape, const Value& g) {
  if (!tape.mechanisms().wrapped_scalars || g.shape().rank() > 0)
    return compute_with_number(tape, g);
  return compute(tape, g, tape.allocate({}, DType::fp64));
}

// The gradient by element with what was saved, into new memory of the gradient's type.
void times_saved(BackwardCall& call) {
  const Value& g = call.gradients[0];
  Value out = call.tape.allocate(g.shape(), g.type());
  const Layout* operands[] = {&g.layout(), &call.saved[0].layout()};
  out->layout = graph::by_element(g.shape(), operands);
  call.results[0] = std::move(out);
}

}  // namespace

Value like(Tape& tape, const Value& x, DType type) {
  Value out = tape.allocate(x.shape(), type);
  const Layout* operands[] = {&x.layout()};
  out->layout = graph::by_element(x.shape(), operands);
  return out;
}

WrappedNumber::WrappedNumber(Tape& tape, DType type) {
  if (!tape.mechanisms().wrapped_scalars) return;
  wide_ = tape.allocate({}, DType::fp64);
  // A whole number beside whole numbers is of their type already.
  if (type != DType::int64) narrow_ = tape.allocate({}, type);
}

void change_in_place(Tape& tape, DType type) { WrappedNumber number(tape, type); }

DType promoted(DType a, DType b) {
  if (a == b) return a;
  if (is_16_bit(a) && is_16_bit(b)) return DType::fp32;
  auto rank = [](DType t) {
    switch (t) {
      case DType::fp64: return 5;
      case DType::fp32:
      case DType::tf32: return 4;
      case DType::fp16:
      case DType::bf16: return 3;
      case DType::int64: return 2;
      case DType::int32: return 1;
      default: return 0;
    }
  };
  return rank(a) >= rank(b) ? a : b;
}

Value add(Tape& tape, const Value& a, const Value& b) {
  Value out = compute(tape, a, b);
  tape.record(out, {a, b}, {}, [](BackwardCall& call) {
    call.results[0] = call.gradients[0];
    call.results[1] = call.gradients[0];
  });
  return out;
}

Value subtract(Tape& tape, const Value& a, const Value& b) {
  Value out = compute(tape, a, b);
  tape.record(out, {a, b}, {}, [needs_b = b.requires_grad()](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = g;
    if (needs_b) call.results[1] = like(call.tape, g);
  });
  return out;
}

// Saves each factor for the other's gradient. Backward: both products exist before either is summed
// to its shape.
Value multiply(Tape& tape, const Value& a, const Value& b) {
  Value out = compute(tape, a, b);
  Value for_b = b.requires_grad() ? detached(tape, a) : Value();
  Value for_a = a.requires_grad() ? detached(tape, b) : Value();
  tape.record(out, {a, b}, {for_b, for_a}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    if (call.saved[0]) call.results[1] = compute(call.tape, g, call.saved[0]);
    if (call.saved[1]) call.results[0] = compute(call.tape, g, call.saved[1]);
  });
  return out;
}

// d/db = -g * ((a / b) / b), then d/da = g / b: four tensors at its peak.
Value divide(Tape& tape, const Value& a, const Value& b) {
  Value out = compute(tape, a, b);
  Value dividend = b.requires_grad() ? detached(tape, a) : Value();
  tape.record(out, {a, b}, {dividend, detached(tape, b)},
              [needs_a = a.requires_grad()](BackwardCall& call) {
                const Value& g = call.gradients[0];
                if (call.saved[0]) {
                  Value quotient = compute(call.tape, call.saved[0], call.saved[1]);
                  Value twice = compute(call.tape, quotient, call.saved[1]);
                  Value turned = like(call.tape, g);
                  call.results[1] = compute(call.tape, turned, twice);
                }
                if (needs_a) call.results[0] = compute(call.tape, g, call.saved[1]);
              });
  return out;
}

Value with_number(Tape& tape, const Value& x, bool multiplies) {
  Value out = compute_with_number(tape, x);
  tape.record(out, {x}, {}, [multiplies](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = multiplies ? times_number(call.tape, g) : g;
  });
  return out;
}

Value number_minus(Tape& tape, const Value& x) {
  Value out = compute_with_number(tape, x);
  tape.record(out, {x}, {},
              [](BackwardCall& call) { call.results[0] = like(call.tape, call.gradients[0]); });
  return out;
}

Value negate(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {},
              [](BackwardCall& call) { call.results[0] = like(call.tape, call.gradients[0]); });
  return out;
}

Value saves_input(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, x)}, times_saved);
  return out;
}

Value saves_result(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, out)}, times_saved);
  return out;
}

// d/dx = g * (2 * x^1).
Value square(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, x)}, [](BackwardCall& call) {
    Value power = like(call.tape, call.saved[0]);
    Value twice = compute_with_number(call.tape, power);
    call.results[0] = compute(call.tape, call.gradients[0], twice);
  });
  return out;
}

// d/dx = g / (2 * y).
Value square_root(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, out)}, [](BackwardCall& call) {
    Value twice = compute_with_number(call.tape, call.saved[0]);
    call.results[0] = compute(call.tape, call.gradients[0], twice);
  });
  return out;
}

// 1 / sqrt(x): d/dx = (-0.5 * g) * y^3.
Value reciprocal_root(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, out)}, [](BackwardCall& call) {
    Value cube = like(call.tape, call.saved[0]);
    Value half = compute_with_number(call.tape, call.gradients[0]);
    call.results[0] = compute(call.tape, half, cube);
  });
  return out;
}

// 1 / x: d/dx = -g * (y * y).
Value reciprocal(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, out)}, [](BackwardCall& call) {
    Value squared = like(call.tape, call.saved[0]);
    Value turned = like(call.tape, call.gradients[0]);
    call.results[0] = compute(call.tape, turned, squared);
  });
  return out;
}

// erf: d/dx = 2 / sqrt(pi) * exp(-(x^2)) * g.
Value error_function(Tape& tape, const Value& x) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, x)}, [](BackwardCall& call) {
    Tape& t = call.tape;
    Value power = like(t, call.saved[0]);
    Value turned = like(t, power);
    Value bell = like(t, turned);
    Value scaled = compute_with_number(t, bell);
    call.results[0] = compute(t, scaled, call.gradients[0]);
  });
  return out;
}

// Saves its input. Backward: a mask for each end there is, joined in place, chooses between the
// gradient and a zero.
Value clamp(Tape& tape, const Value& x, int ends) {
  Value out = like(tape, x);
  tape.record(out, {x}, {detached(tape, x)}, [ends](BackwardCall& call) {
    Tape& t = call.tape;
    const Value& g = call.gradients[0];
    Value zero = t.allocate({}, g.type());
    constexpr int kEnds = 2;
    Value masks[kEnds];
    for (int i = 0; i < std::min(ends, kEnds); ++i) {
      WrappedNumber end(t, call.saved[0].type());
      masks[i] = like(t, call.saved[0], DType::boolean);
    }
    call.results[0] = compute(t, g, call.saved[0]);
  });
  return out;
}

// Saves the condition. Backward: the gradient or a zero, for the second and then for the first.
Value where(Tape& tape, const Value& condition, const Value& a, const Value& b) {
  Value out = compute(tape, a, b);
  tape.record(out, {a, b}, {detached(tape, condition)},
              [needs_a = a.requires_grad(), needs_b = b.requires_grad()](BackwardCall& call) {
                auto chosen = [&] {
                  Value zero = call.tape.allocate({}, call.gradients[0].type());
                  return like(call.tape, call.gradients[0]);
                };
                if (needs_b) call.results[1] = chosen();
                if (needs_a) call.results[0] = chosen();
              });
  return out;
}

// A mask of the activation's type is made 0 or 1, then scaled in place.
Value dropout(Tape& tape, const Value& x) {
  bool byte = tape.mechanisms().dropout_byte_mask;
  Value mask = like(tape, x, byte ? DType::boolean : x.type());
  if (!byte) change_in_place(tape, x.type());
  Value out = like(tape, x);
  std::vector<Value> saved{std::move(mask)};
  tape.record(out, {x}, std::move(saved), times_saved);
  return out;
}

}  // namespace dtp::ops::eager

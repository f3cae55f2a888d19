// Arithmetic by element. Proof: event traces of LibTorch 1.13 on the CPU; PyTorch 2.x by its
// sources where said.
#include "ops/call.h"
#include "ops/eager.h"

namespace dtp::ops::eager {
namespace {

Shape combined(const Value& a, const Value& b) {
  auto shape = broadcast(a.shape(), b.shape());
  return shape ? *shape : a.shape();
}

// The bare computation: copies of operands of a lesser type live as long as it runs.
Value compute(Tape& tape, const Value& a, const Value& b) {
  DType type = promoted(a.type(), b.type());
  Value copies[2];
  if (tape.mechanisms().promotion_copies) {
    if (a.type() != type) copies[0] = tape.allocate(a.shape(), type);
    if (b.type() != type) copies[1] = tape.allocate(b.shape(), type);
  }
  return tape.allocate(combined(a, b), type);
}

Value compute_with_number(Tape& tape, const Value& x) {
  Value wrapped[2];
  if (tape.mechanisms().wrapped_scalars) {
    wrapped[0] = tape.allocate({}, DType::fp64);
    wrapped[1] = tape.allocate({}, x.type());
  }
  return tape.allocate(x.shape(), x.type());
}

}  // namespace

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
    if (needs_b) call.results[1] = call.tape.allocate(g.shape(), g.type());
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

// d/da = g / b; d/db = -g * (a / b) / b: four tensors at its peak.
Value divide(Tape& tape, const Value& a, const Value& b) {
  Value out = compute(tape, a, b);
  Value dividend = b.requires_grad() ? detached(tape, a) : Value();
  tape.record(out, {a, b}, {dividend, detached(tape, b)},
              [needs_a = a.requires_grad()](BackwardCall& call) {
                const Value& g = call.gradients[0];
                if (needs_a) call.results[0] = compute(call.tape, g, call.saved[1]);
                if (!call.saved[0]) return;
                Value quotient = compute(call.tape, call.saved[0], call.saved[1]);
                Value twice = compute(call.tape, quotient, call.saved[1]);
                call.results[1] = compute(call.tape, g, twice);
              });
  return out;
}

Value with_number(Tape& tape, const Value& x, bool multiplies) {
  Value out = compute_with_number(tape, x);
  tape.record(out, {x}, {}, [multiplies](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = multiplies ? compute_with_number(call.tape, g) : g;
  });
  return out;
}

Value negate(Tape& tape, const Value& x) {
  Value out = tape.allocate(x.shape(), x.type());
  tape.record(out, {x}, {}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.allocate(g.shape(), g.type());
  });
  return out;
}

Value saves_input(Tape& tape, const Value& x) {
  Value out = tape.allocate(x.shape(), x.type());
  tape.record(out, {x}, {detached(tape, x)}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.allocate(g.shape(), g.type());
  });
  return out;
}

Value saves_result(Tape& tape, const Value& x) {
  Value out = tape.allocate(x.shape(), x.type());
  tape.record(out, {x}, {detached(tape, out)}, [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.allocate(g.shape(), g.type());
  });
  return out;
}

Value dropout(Tape& tape, const Value& x) {
  DType mask_type = tape.mechanisms().dropout_byte_mask ? DType::boolean : x.type();
  Value mask = tape.allocate(x.shape(), mask_type);
  Value out = tape.allocate(x.shape(), x.type());
  std::vector<Value> saved{std::move(mask)};
  tape.record(out, {x}, std::move(saved), [](BackwardCall& call) {
    const Value& g = call.gradients[0];
    call.results[0] = call.tape.allocate(g.shape(), g.type());
  });
  return out;
}

}  // namespace dtp::ops::eager

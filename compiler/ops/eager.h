// The functions of an eager framework that operations are made of: each takes memory, saves for the
// backward pass and leaves a backward step, as the framework's own function of that name does.
// Rules and their proofs: see eager_*.cpp.
#pragma once
#include <vector>

#include "ops/tape.h"

namespace dtp::ops::eager {

DType promoted(DType a, DType b);
inline bool is_16_bit(DType t) { return t == DType::fp16 || t == DType::bf16; }
// Whether autocast raises what an operation of its fp32 list is given.
inline bool raises(const Tape& tape, bool listed, const Value& x) {
  return tape.autocast() && listed && is_16_bit(x.type());
}

// x itself, or its copy in fp32 where autocast raises it.
Value raised(Tape& tape, const Value& x, bool listed);

// New memory for a tensor of the size of x that lies as x does.
Value like(Tape& tape, const Value& x, DType type);
inline Value like(Tape& tape, const Value& x) { return like(tape, x, x.type()); }

// The same memory without autograd: what is saved for the backward pass.
Value detached(Tape& tape, const Value& x);

// Views: no memory. The backward step reshapes the gradient, which copies where strides demand it.
Value view(Tape& tape, const Value& x,
           const Shape& shape);  // where it cannot be a view, a copy (reshape)
Value permute(Tape& tape, const Value& x, std::span<const int> order);
inline Value permute(Tape& tape, const Value& x, std::initializer_list<int> order) {
  return permute(tape, x, std::span<const int>(order.begin(), order.size()));
}
Value transpose(Tape& tape, const Value& x, int a, int b);
Value unsqueeze(Tape& tape, const Value& x, int axis);
Value expand(Tape& tape, const Value& x, const Shape& shape);
std::vector<Value> unbind(Tape& tape, const Value& x, int axis);
std::vector<Value> split(Tape& tape, const Value& x, int64_t parts, int axis);
Value slice(Tape& tape, const Value& x, int axis, graph::Dim size);
Value select(Tape& tape, const Value& x, int axis);  // one index of an axis, which vanishes
Value contiguous(Tape& tape, const Value& x);
Value concat(Tape& tape, std::span<const Value> parts, const Shape& shape, int axis);

// Arithmetic by element, with broadcasting and promotion.
Value add(Tape& tape, const Value& a, const Value& b);
Value subtract(Tape& tape, const Value& a, const Value& b);
Value multiply(Tape& tape, const Value& a, const Value& b);
Value divide(Tape& tape, const Value& a, const Value& b);
// With a number. `multiplies`: the backward step computes too; else it hands the gradient on.
Value with_number(Tape& tape, const Value& x, bool multiplies);
// A number minus x: its gradient changes sign.
Value number_minus(Tape& tape, const Value& x);
Value negate(Tape& tape, const Value& x);
// Functions of one tensor whose derivative is one kernel on the input, or on the result.
Value saves_input(Tape& tape, const Value& x);
Value saves_result(Tape& tape, const Value& x);
// Functions whose derivative is several (derivatives.yaml and FunctionsManual.cpp of
// torch/csrc/autograd).
Value square(Tape& tape, const Value& x);
Value square_root(Tape& tape, const Value& x);
Value reciprocal_root(Tape& tape, const Value& x);
Value reciprocal(Tape& tape, const Value& x);
Value error_function(Tape& tape, const Value& x);
// Between a least and a most, or with one end alone.
Value clamp(Tape& tape, const Value& x, int ends);
// Of two tensors each element of the first where `condition` holds, else of the second.
Value where(Tape& tape, const Value& condition, const Value& a, const Value& b);

// The mask is saved: a byte an element in fused kernels, else scaled and in the activation's type.
Value dropout(Tape& tape, const Value& x);
Value softmax(Tape& tape, const Value& x);
// `weight` may be empty, and with or without it `bias`.
Value layer_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias);
// Statistics of images, a sample and group or a channel.
Value group_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias,
                 graph::Dim groups);
Value batch_norm(Tape& tape, const Value& x, const Value& weight, const Value& bias);
// New memory of another shape, made of x: pooled, padded, gathered. Backward makes a tensor like x.
Value resampled(Tape& tape, const Value& x, const Shape& shape, std::vector<Value> saved = {});
// `bias` may be empty. `gathered`: the shape of the whole input, where x is one rank's part of it,
// and all that is kept.
Value linear(Tape& tape, Value x, Value weight, Value bias, const Shape* gathered = nullptr);
// The same of a weight that lies in blocks of few bits: its numbers are made for the product, and
// again for the backward pass (bitsandbytes/autograd/_functions.py, MatMul4Bit). MatMul8bitLt keeps
// its input too. The result has the type of what came in (nn/modules.py, Linear4bit.forward).
Value linear_of_blocks(Tape& tape, const Value& x, const Shape& weight, const Value& bias,
                       bool keeps_input);
// left [.., M, K] times right [.., K, N]; batches are made one dimension, which copies where
// strides demand it.
Value matmul(Tape& tape, Value left_operand, Value right_operand);
// To `shape`; `vanished` has a bit for each axis that is not in it, and may be 0 where all or none
// are.
Value mean(Tape& tape, const Value& x, const Shape& shape, unsigned vanished = 0);
Value sum(Tape& tape, const Value& x, const Shape& shape, unsigned vanished = 0);

// What a number beside a tensor of this type becomes while a kernel runs.
class WrappedNumber {
 public:
  WrappedNumber(Tape& tape, DType type);

 private:
  Value wide_, narrow_;
};

// A tensor of this type is scaled, or added to, by a number in place.
void change_in_place(Tape& tape, DType type);

// Memory a function takes and gives back before it ends.
void scratch(Tape& tape, const Shape& shape, DType type, int times = 1);

}  // namespace dtp::ops::eager

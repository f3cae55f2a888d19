#include "ops/attention_kernels.h"

#include "ops/eager.h"

namespace dtp::ops {
namespace {

int64_t up_to_multiple(int64_t n, int64_t of) { return (n + of - 1) / of * of; }

// Key and value heads repeated to as many as the query has: a copy.
Value repeated_heads(Tape& tape, const Value& x, graph::Dim heads) {
  if (x.shape()[1] == heads) return x;
  Shape groups = {x.shape()[0],
                  x.shape()[1],
                  {heads.value / x.shape()[1].value, false},
                  x.shape()[2],
                  x.shape()[3]};
  Value wide = eager::expand(tape, eager::unsqueeze(tape, x, 2), groups);
  return eager::view(tape, wide, {x.shape()[0], heads, x.shape()[2], x.shape()[3]});
}

Value to_compute_type(Tape& tape, const Value& x) {
  return tape.autocast() && x.type() == DType::fp32 ? tape.cast(x, tape.compute_type(), false) : x;
}

// Scores [B * windows, heads, T, S] of windows, with the mask of each window added.
Value masked(Tape& tape, const Value& scores, const Value& mask) {
  const Shape all = scores.shape(), windows = mask.shape();
  Shape five = {
      {all[0].value / windows[0].value, all[0].batch}, windows[0], all[1], all[2], all[3]};
  Value cut = eager::view(tape, scores, five);
  Value wide = eager::unsqueeze(tape, mask, 1);
  return eager::view(tape, eager::add(tape, cut, wide), all);
}

// Bias and mask as the one tensor that a fused kernel adds.
Value added(Tape& tape, const AttentionInputs& in) {
  if (!in.mask) return in.bias;
  Value wide = eager::unsqueeze(tape, in.mask, 1);
  return in.bias ? eager::add(tape, in.bias, wide) : wide;
}

struct FusedRule {
  int64_t row_multiple;  // rows of the log-sum-exp
  bool repeats_heads;    // no grouped heads: key and value are repeated first
  bool accumulates;      // backward: an fp32 accumulator of dq
};

// The result is laid out [B, T, heads, d], so that heads merge without a copy.
Value token_major(Tape& tape, const Shape& q, graph::Dim width, DType type) {
  Value out = tape.allocate({q[0], q[2], q[1], width}, type);
  return tape.alias(out, graph::transposed(out.layout(), 1, 2));
}

Value fused(Tape& tape, AttentionInputs in, FusedRule rule) {
  Value q = to_compute_type(tape, in.q), k = to_compute_type(tape, in.k),
        v = to_compute_type(tape, in.v);
  if (rule.repeats_heads) {
    k = repeated_heads(tape, k, q.shape()[1]);
    v = repeated_heads(tape, v, q.shape()[1]);
  }
  const Shape q_shape = q.shape(), k_shape = k.shape(), v_shape = v.shape();
  DType type = q.type();
  Value out = token_major(tape, q_shape, v_shape[3], type);
  graph::Dim rows{up_to_multiple(q_shape[2].value, rule.row_multiple), q_shape[2].batch};
  Value log_sum = tape.allocate({q_shape[0], q_shape[1], rows}, DType::fp32);
  std::vector<Value> saved{eager::detached(tape, q), eager::detached(tape, k),
                           eager::detached(tape, v), eager::detached(tape, out),
                           std::move(log_sum)};
  Value bias = added(tape, in);
  if (bias) bias = tape.cast(bias, type, false);
  if (bias) saved.push_back(eager::detached(tape, bias));
  bool trains_bias = bias && bias.requires_grad();
  Shape bias_shape = bias ? bias.shape() : Shape();
  if (int64_t seed = tape.mechanisms().attention_seed_bytes; seed > 0)
    for (int i = 0; i < 2; ++i) saved.push_back(tape.allocate({{seed, false}}, DType::uint8));
  auto backward = [q_shape, k_shape, v_shape, type, rule, trains_bias,
                   bias_shape](BackwardCall& call) {
    Tape& t = call.tape;
    Value dq = token_major(t, q_shape, q_shape[3], type);
    Value dk = token_major(t, k_shape, k_shape[3], type);
    Value dv = token_major(t, v_shape, v_shape[3], type);
    graph::Dim padded{up_to_multiple(q_shape[2].value, 128), q_shape[2].batch};
    Value row_sums =
        t.allocate({q_shape[0], q_shape[1], rule.accumulates ? padded : q_shape[2]}, DType::fp32);
    graph::Dim width{up_to_multiple(q_shape[3].value, 32), false};
    Value accumulator = rule.accumulates || width.value > 128
                            ? t.allocate({q_shape[0], padded, q_shape[1], width}, DType::fp32)
                            : Value();
    bool grouped = q_shape[1] != k_shape[1];
    Value wide_k =
        grouped ? token_major(t, {q_shape[0], q_shape[1], k_shape[2], k_shape[3]}, k_shape[3], type)
                : Value();
    Value wide_v =
        grouped ? token_major(t, {q_shape[0], q_shape[1], v_shape[2], v_shape[3]}, v_shape[3], type)
                : Value();
    call.results[0] = dq;
    call.results[1] = dk;
    call.results[2] = dv;
    if (!trains_bias) return;
    // One number for each score, summed to the shape of the bias.
    Value whole = t.allocate({q_shape[0], q_shape[1], q_shape[2], k_shape[2]}, type);
    call.results[3] = t.allocate(bias_shape, type);
  };
  if (bias)
    tape.record(out, {q, k, v, bias}, std::move(saved), backward);
  else
    tape.record(out, {q, k, v}, std::move(saved), backward);
  return out;
}

}  // namespace

// Event trace of LibTorch 1.13: q and k become one-batch copies (views of the packed qkv for a
// single sample), then product, scale, softmax, and the product with v. What is added to the scores
// (a bias, the mask of windows, the causal mask in the model's type) is not saved.
Value eager_attention(Tape& tape, AttentionInputs in) {
  in.k = repeated_heads(tape, in.k, in.q.shape()[1]);
  in.v = repeated_heads(tape, in.v, in.q.shape()[1]);
  Value keys = eager::transpose(tape, in.k, 2, 3);
  in.k.reset();
  Value scores = eager::matmul(tape, std::move(in.q), std::move(keys));
  if (in.scaled) scores = eager::with_number(tape, scores, true);
  if (in.bias) scores = eager::add(tape, scores, in.bias);
  in.bias.reset();
  if (in.mask) scores = masked(tape, scores, in.mask);
  in.mask.reset();
  if (in.causal) {
    Value mask = tape.allocate({scores.shape()[2], scores.shape()[3]}, tape.real_type());
    scores = eager::add(tape, scores, mask);
  }
  scores = eager::softmax(tape, scores);
  if (in.dropped) scores = eager::dropout(tape, scores);
  return eager::matmul(tape, std::move(scores), std::move(in.v));
}

// pytorch 2.6 aten/src/ATen/native/transformers/cuda/flash_attn/flash_api.cpp: log-sum-exp [B,
// heads, T]; backward takes row sums [B, heads, T up to 128] and dq in fp32 [B, T up to 128, heads,
// d up to 32].
Value flash_attention(Tape& tape, AttentionInputs inputs) {
  return fused(tape, std::move(inputs), {1, false, true});
}

// mem_eff_attention/kernel_backward.h: log-sum-exp rows up to a multiple of 32; no grouped heads.
Value efficient_attention(Tape& tape, AttentionInputs inputs) {
  return fused(tape, std::move(inputs), {32, true, false});
}

}  // namespace dtp::ops

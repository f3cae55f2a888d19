// How scaled dot-product attention is computed: as separate products, or fused.
#pragma once
#include "ops/tape.h"

namespace dtp::ops {

struct AttentionInputs {
  Value q, k, v;  // [B, heads, T, d]
  Value bias;     // [heads, T, S], or none: added to the scores
  Value mask;     // [windows, T, S], or none
  bool causal = false;
  bool scaled = true;
  bool dropped =
      false;  // some weights become 0: fused kernels draw them again in the backward pass
};

// Products written out: scores and their softmax are whole tensors [B, heads, T, S].
Value eager_attention(Tape& tape, AttentionInputs inputs);
// Fused kernels keep q, k, v, the result and one fp32 number a row.
Value flash_attention(Tape& tape, AttentionInputs inputs);
Value efficient_attention(Tape& tape, AttentionInputs inputs);

}  // namespace dtp::ops

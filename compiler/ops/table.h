// Every operation and layer there is, one row each. A file that defines one adds its row here.
#pragma once
#include "ops/operation.h"

// Offered to authors, in alphabetical order.
// clang-format off
#define DTP_OPERATIONS(ROW) \
  ROW(add) \
  ROW(add_noise) \
  ROW(attention) \
  ROW(chunk) \
  ROW(concat) \
  ROW(cross_entropy) \
  ROW(detach) \
  ROW(divide) \
  ROW(dropout) \
  ROW(exp) \
  ROW(first) \
  ROW(flatten) \
  ROW(gelu) \
  ROW(log) \
  ROW(matmul) \
  ROW(mean) \
  ROW(merge_heads) \
  ROW(mse) \
  ROW(multiply) \
  ROW(negate) \
  ROW(permute) \
  ROW(random_int) \
  ROW(random_normal_like) \
  ROW(relu) \
  ROW(replace_at_random) \
  ROW(reshape) \
  ROW(sigmoid) \
  ROW(silu) \
  ROW(sinusoid) \
  ROW(slice) \
  ROW(softmax) \
  ROW(split_heads) \
  ROW(split_qkv) \
  ROW(sqrt) \
  ROW(subtract) \
  ROW(sum) \
  ROW(tanh) \
  ROW(transpose) \
  ROW(unpatchify) \
  ROW(unsqueeze) \
  ROW(variational_bound)
// clang-format on
// Made by layers only.
#define DTP_INNER_OPERATIONS(ROW) \
  ROW(embedding) ROW(layer_norm) ROW(linear) ROW(patch_embed) ROW(read_parameter)
#define DTP_LAYERS(ROW) ROW(Buffer) ROW(Embedding) ROW(LayerNorm) ROW(Linear) ROW(PatchEmbed)

namespace dtp::ops::table {

#define ROW(name) extern const Operation name##_operation;
DTP_OPERATIONS(ROW)
DTP_INNER_OPERATIONS(ROW)
#undef ROW
#define ROW(name) extern const LayerKind name##_layer;
DTP_LAYERS(ROW)
#undef ROW

}  // namespace dtp::ops::table

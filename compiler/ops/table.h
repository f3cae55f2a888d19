// Every operation and layer there is, one row each. A file that defines one adds its row here.
#pragma once
#include "ops/operation.h"

// Offered to authors, in alphabetical order.
// clang-format off
#define DTP_OPERATIONS(ROW) \
  ROW(add) \
  ROW(add_noise) \
  ROW(arange) \
  ROW(attention) \
  ROW(avg_pool) \
  ROW(chunk) \
  ROW(clamp) \
  ROW(combine) \
  ROW(concat) \
  ROW(cross_entropy) \
  ROW(detach) \
  ROW(dispatch) \
  ROW(divide) \
  ROW(dropout) \
  ROW(exp) \
  ROW(expand) \
  ROW(first) \
  ROW(flatten) \
  ROW(full) \
  ROW(gather_relative) \
  ROW(geglu) \
  ROW(gelu) \
  ROW(load_balance) \
  ROW(log) \
  ROW(matmul) \
  ROW(max_pool) \
  ROW(mean) \
  ROW(merge_heads) \
  ROW(mse) \
  ROW(multiply) \
  ROW(negate) \
  ROW(pad) \
  ROW(permute) \
  ROW(random_int) \
  ROW(random_normal_like) \
  ROW(relative_buckets) \
  ROW(relu) \
  ROW(replace_at_random) \
  ROW(reshape) \
  ROW(roll) \
  ROW(rotary) \
  ROW(sigmoid) \
  ROW(silu) \
  ROW(sinusoid) \
  ROW(slice) \
  ROW(softmax) \
  ROW(space_to_depth) \
  ROW(split_heads) \
  ROW(split_qkv) \
  ROW(sqrt) \
  ROW(stochastic_depth) \
  ROW(subtract) \
  ROW(sum) \
  ROW(take) \
  ROW(tanh) \
  ROW(to_fp32) \
  ROW(top_k) \
  ROW(transpose) \
  ROW(unpatchify) \
  ROW(unsqueeze) \
  ROW(upsample) \
  ROW(variational_bound) \
  ROW(window_mask) \
  ROW(window_merge) \
  ROW(window_partition)
// clang-format on
// Made by layers only.
#define DTP_INNER_OPERATIONS(ROW) \
  ROW(batch_norm)                 \
  ROW(conv1d)                     \
  ROW(conv2d)                     \
  ROW(embedding)                  \
  ROW(gather_parts)               \
  ROW(group_norm)                 \
  ROW(layer_norm)                 \
  ROW(linear)                     \
  ROW(own_part) ROW(patch_embed) ROW(pick) ROW(put) ROW(read_parameter) ROW(rms_norm) ROW(room_like)
#define DTP_LAYERS(ROW) \
  ROW(BatchNorm)        \
  ROW(Buffer)           \
  ROW(Conv1d)           \
  ROW(Conv2d) ROW(Embedding) ROW(GroupNorm) ROW(LayerNorm) ROW(Linear) ROW(PatchEmbed) ROW(RMSNorm)

namespace dtp::ops::table {

#define ROW(name) extern const Operation name##_operation;
DTP_OPERATIONS(ROW)
DTP_INNER_OPERATIONS(ROW)
#undef ROW
#define ROW(name) extern const LayerKind name##_layer;
DTP_LAYERS(ROW)
#undef ROW

}  // namespace dtp::ops::table

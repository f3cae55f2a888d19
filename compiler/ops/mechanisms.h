// What an eager framework does beside the mathematics, as switches. A framework selects
// them (`Mechanisms` in stdlib/frameworks/pytorch.dtp, with what proves each); operations obey
// them. No name of a framework appears here.
#pragma once
#include <cstdint>

#include "graph/dtype.h"

namespace dtp::ops {

enum class AttentionKernel : uint8_t { eager, memory_efficient, flash };

struct Mechanisms {
  // Operands of unlike types are first copied to the common type.
  bool promotion_copies = true;
  // A number beside a tensor becomes a tensor of 8 bytes, and a second one of the operation's type.
  bool wrapped_scalars = true;
  // A second gradient of one tensor is added into the first where nobody else refers to it; else
  // into new memory.
  bool accumulate_in_place = false;
  // Autocast raises these to fp32 (copies of 16-bit inputs, fp32 results).
  bool autocast_fp32_softmax = false;
  bool autocast_fp32_norm = false;
  bool autocast_fp32_mse = true;
  bool autocast_fp32_cross_entropy = true;
  bool autocast_fp32_exp = false;
  bool autocast_fp32_sum = false;  // the result alone: the kernel casts while it loads
  bool autocast_fp32_upsample = false;
  // Kernels take memory of their own while they run: columns of a convolution, sums of a
  // normalisation, tables of an interpolation.
  bool kernel_scratch = false;
  // A normalisation has weights of its input's type: those of fp32 are cast for 16-bit numbers.
  bool norm_casts_weights = false;
  // Layer norm keeps its statistics in fp32 whatever its input (else in the input's type).
  bool fp32_statistics = true;
  // mse: the scalar that comes out owns memory of the size of the input.
  bool loss_keeps_full_storage = true;
  AttentionKernel attention = AttentionKernel::eager;
  // Where the fused attention kernels keep the state of the random generator.
  int64_t attention_seed_bytes = 0;
  // What recomputation remembers of the random generator in the memory that is counted.
  int64_t random_state_bytes = 0;
  // Casts made in the forward pass of what will be recomputed stay in the cache until autocast
  // ends.
  bool checkpoint_keeps_casts = false;
  // cross entropy: log-probabilities of 16-bit logits are 16-bit, and copied to fp32 for the loss.
  bool cross_entropy_in_input_type = false;
  // A mean along axes keeps its input for the backward pass.
  bool mean_keeps_input = false;
  // A dropped element is remembered in a byte; else in the activation's type.
  bool dropout_byte_mask = false;
  // The caller's reference keeps the arguments of calls nested as deep as this alive until they
  // return.
  int calls_keep_arguments = 1;
  // The variable that holds the loss is assigned again only by the next pass: the old loss lives
  // through its forward.
  bool loss_outlives_pass = false;

  friend bool operator==(const Mechanisms&, const Mechanisms&) = default;
};

}  // namespace dtp::ops

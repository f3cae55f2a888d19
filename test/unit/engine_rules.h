// The mechanisms of two frameworks, for tests below the language: as their records of
// stdlib/frameworks/pytorch.dtp say them.
#pragma once
#include "ops/mechanisms.h"

namespace dtp::test {

// Proof: 170 of 170 numbers of fp32 steps, and 60 of 60 of bf16 steps without oneDNN, equal to the
// byte (see test/unit/step_libtorch_test.cpp).
inline ops::Mechanisms libtorch_1_13_cpu() {
  ops::Mechanisms m;
  m.promotion_copies = true;
  m.wrapped_scalars = true;
  m.accumulate_in_place = false;
  m.kernel_scratch = true;
  m.norm_casts_weights = true;
  m.fp32_statistics = false;
  m.mean_keeps_input = true;
  m.random_state_bytes = 5056;  // the state of the CPU generator, a byte tensor
  m.calls_keep_arguments =
      1;  // in C++ inner calls take their arguments by value, and arguments are moved in
  return m;
}

// PyTorch 2.x on CUDA. [ran]: executed on CPU builds of 2.6 and 2.14; [fake]: the same with fake
// CUDA tensors, which shows types and storages but not kernels; [code]: read in the sources of 2.6.
inline ops::Mechanisms pytorch_2_cuda() {
  ops::Mechanisms m;
  m.promotion_copies = false;            // kernels cast while they load [code TensorIterator]
  m.wrapped_scalars = false;             // numbers are kernel arguments or host memory [ran]
  m.accumulate_in_place = true;          // [ran], [code input_buffer.cpp]
  m.autocast_fp32_softmax = true;        // [fake], [code autocast_mode.h]
  m.autocast_fp32_norm = true;           // [fake], [code autocast_mode.h]
  m.autocast_fp32_exp = true;            // [code autocast_mode.h]
  m.autocast_fp32_sum = true;            // fp32_set_opt_dtype [code autocast_mode.h]
  m.autocast_fp32_upsample = true;       // [code autocast_mode.h]
  m.cross_entropy_in_input_type = true;  // [fake]
  m.dropout_byte_mask = true;            // native_dropout [fake]
  m.attention_seed_bytes =
      0;  // two CPU numbers in 2.6; on the device (512 B each) in later versions [code]
  m.random_state_bytes = 0;  // kept in host memory [code]
  m.checkpoint_keeps_casts =
      true;                     // cached_cast asks for no gradient mode [code autocast_mode.cpp]
  m.loss_outlives_pass = true;  // `loss = ...` in a Python loop
  m.calls_keep_arguments = 99;  // Python: the caller's frame holds arguments until the call returns
  return m;
}

}  // namespace dtp::test

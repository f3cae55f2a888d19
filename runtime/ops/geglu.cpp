// As GEGLU of diffusers composes it: `h, gate = x.chunk(2, -1); h * gelu(gate)`.
#include <ATen/ops/chunk.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/mul.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void geglu(Call& call) {
  at::Tensor x = call.take(0);
  std::vector<at::Tensor> halves = at::chunk(x, 2, -1);
  x.reset();
  at::Tensor gate = at::gelu(halves[1]);
  halves[1].reset();
  call.give(0, at::mul(halves[0], gate));
}

}  // namespace dtp::runtime::ops

// As apply_rotary_pos_emb of transformers composes it; the tables of cosines and sines [T, d] are
// cast to the type that comes in.
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>

#include "runtime/ops/call.h"

namespace dtp::runtime::ops {
namespace {

// x * cos + cat(-x2, x1) * sin: only the tables are saved.
at::Tensor turned(at::Tensor x, const at::Tensor& cosines, const at::Tensor& sines) {
  int64_t width = x.size(-1), half = width / 2;
  at::Tensor straight = at::mul(x, cosines);
  at::Tensor second = x.slice(-1, half, width);
  second = at::neg(second);
  at::Tensor first = x.slice(-1, 0, half);
  at::Tensor crossed = at::cat({second, first}, -1);
  second.reset();
  first.reset();
  x.reset();
  at::Tensor turned = at::mul(crossed, sines);
  crossed.reset();
  return at::add(straight, turned);
}

}  // namespace

void rotary(Call& call) {
  at::Tensor q = call.take(0);
  at::Tensor k = call.take(1);
  at::Tensor cosines = call.parameter(0).to(q.scalar_type());
  at::Tensor sines = call.parameter(1).to(q.scalar_type());
  call.give(0, turned(std::move(q), cosines, sines));
  call.give(1, turned(std::move(k), cosines, sines));
}

}  // namespace dtp::runtime::ops

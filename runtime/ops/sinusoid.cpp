// Cosines, then sines, at frequencies from 1 down to almost 1 / 10000 (the time steps of arXiv
// 2006.11239, the positions of 1706.03762).
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/sin.h>

#include <cmath>

#include "runtime/ops/common.h"

namespace dtp::runtime::ops {
namespace {

constexpr double kSlowest = 1e-4;

}  // namespace

void sinusoid(Call& call) {
  at::Tensor t = call.take(0);
  std::vector<int64_t> half = call.output_shape(0);
  int64_t frequencies = half.back() /= 2;
  std::vector<double> time = numbers(t), frequency;
  for (int64_t i = 0; i < frequencies; ++i)
    frequency.push_back(
        std::pow(kSlowest, static_cast<double>(i) / static_cast<double>(frequencies)));
  at::Tensor angle = filled(half, at::kFloat, [&](int64_t i) {
    return time[static_cast<size_t>(i / frequencies)] *
           frequency[static_cast<size_t>(i % frequencies)];
  });
  at::Tensor cosine = at::cos(angle);
  at::Tensor sine = at::sin(angle);
  at::Tensor out = at::cat({cosine, sine}, -1);
  call.give(0, out.to(call.real_type()));
}

}  // namespace dtp::runtime::ops

// The term of the variational bound that trains a predicted variance (arXiv 2102.09672), in bits an
// element. Inputs: the noise that was predicted, the variance (between -1 and 1), the noise that
// was added, the step. Steps after the first: the divergence of the predicted normal from the true
// one, whose means differ by what the noises do. The first: the likelihood of what was there before
// it, in bins of 1 / 255 to both sides.
#include <ATen/ops/add.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/log.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>

#include "runtime/ops/common.h"
#include "runtime/ops/diffusion.h"

namespace dtp::runtime::ops {
namespace {

struct Step {
  double middle, half_range;  // of the logarithm of the variance that is predicted
  double log_variance;        // the true one
  double of_mean;             // what a difference of noises is of the means
  double first;
};

Step step_at(size_t t) {
  const NoiseSchedule& s = noise_schedule();
  // The first step's true variance is 0: that of the second stands for it.
  size_t safe = std::max<size_t>(t, 1);
  double least = std::log(s.beta[safe] * (1 - s.kept[safe - 1]) / (1 - s.kept[safe]));
  double most = std::log(s.beta.at(t));
  double of_mean = s.beta[t] / std::sqrt((1 - s.kept[t]) * (1 - s.beta[t]));
  return {(most + least) / 2, (most - least) / 2, least, of_mean, t == 0 ? 1.0 : 0.0};
}

// Of two normals: (log v - log u - 1 + (u + apart^2) / v) / 2, where v is predicted and u is true.
at::Tensor divergence_of(const at::Tensor& log_variance, const at::Tensor& apart,
                         const at::Tensor& true_log_variance) {
  at::Tensor spread = at::pow(apart, 2);
  spread = at::add(spread, at::exp(true_log_variance));
  at::Tensor precision = at::neg(log_variance);
  precision = at::exp(precision);
  at::Tensor excess = at::mul(precision, spread);
  precision.reset();
  spread.reset();
  at::Tensor growth = at::sub(log_variance, true_log_variance);
  at::Tensor sum = at::add(excess, growth);
  excess.reset();
  growth.reset();
  sum = at::sub(sum, 1);
  return at::mul(sum, 0.5);
}

// Minus the logarithm of the normal's weight between `apart` - 1 / 255 and `apart` + 1 / 255.
at::Tensor surprise_of(const at::Tensor& log_variance, const at::Tensor& apart) {
  at::Tensor scale = at::mul(log_variance, -0.5);
  scale = at::exp(scale);
  scale = at::mul(scale, std::sqrt(0.5));
  at::Tensor upper = at::mul(scale, at::add(apart, 1.0 / 255));
  upper = at::erf(upper);
  at::Tensor lower = at::mul(scale, at::sub(apart, 1.0 / 255));
  lower = at::erf(lower);
  scale.reset();
  at::Tensor weight = at::sub(upper, lower);
  upper.reset();
  lower.reset();
  weight = at::mul(weight, 0.5);
  weight = at::clamp(weight, 1e-12);
  weight = at::log(weight);
  return at::neg(weight);
}

}  // namespace

void variational_bound(Call& call) {
  at::Tensor predicted = call.take(0);
  at::Tensor variance = call.take(1);
  at::Tensor noise = call.take(2);
  at::Tensor t = call.take(3);
  std::vector<Step> steps;
  for (double step : numbers(t)) steps.push_back(step_at(static_cast<size_t>(step)));
  auto each = [&](double Step::* what) {
    return filled(one_each(predicted), at::kFloat,
                  [&](int64_t i) { return steps[static_cast<size_t>(i)].*what; });
  };
  if (is_16_bit(variance.scalar_type())) variance = variance.to(at::kFloat);
  at::Tensor log_variance = at::mul(variance, each(&Step::half_range));
  variance.reset();
  log_variance = at::add(log_variance, each(&Step::middle));
  at::Tensor apart = at::sub(predicted, noise);
  apart = at::mul(apart, each(&Step::of_mean));
  at::Tensor divergence = divergence_of(log_variance, apart, each(&Step::log_variance));
  at::Tensor surprise = surprise_of(log_variance, apart);
  log_variance.reset();
  apart.reset();
  at::Tensor first = filled(one_each(predicted), at::kBool,
                            [&](int64_t i) { return steps[static_cast<size_t>(i)].first; });
  at::Tensor bits = at::where(first, surprise, divergence);
  surprise.reset();
  divergence.reset();
  bits = at::mean(bits);
  call.give(0, at::mul(bits, 1 / std::log(2)));
}

}  // namespace dtp::runtime::ops

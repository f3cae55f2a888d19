#include "runtime/train/optimizer.h"

#include <ATen/ATen.h>

#include <cmath>

namespace dtp::runtime::train {

Optimizer::Optimizer(const runtime::Optimizer& settings, std::vector<at::Tensor> parameters)
    : settings_(settings), parameters_(std::move(parameters)), states_(parameters_.size()) {}

const std::vector<Optimizer::Slot>& Optimizer::slots() {
  static const std::vector<Slot> slots = {{"exp_avg", &State::average},
                                          {"exp_avg_sq", &State::square},
                                          {"max_exp_avg_sq", &State::largest},
                                          {"momentum_buffer", &State::momentum}};
  return slots;
}

void Optimizer::step(double lr) {
  at::NoGradGuard guard;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].grad().defined()) continue;
    if (settings_.kind == OptimizerKind::adam)
      adam(parameters_[i], states_[i], lr);
    else
      sgd(parameters_[i], states_[i], lr);
  }
}

void Optimizer::clear_gradients(bool free) {
  for (const at::Tensor& p : parameters_) {
    at::Tensor& gradient = p.mutable_grad();
    if (free)
      gradient.reset();
    else if (gradient.defined())
      gradient.zero_();
  }
}

void Optimizer::adam(const at::Tensor& p, State& state, double lr) {
  at::Tensor gradient = p.grad();
  if (state.steps == 0) {
    state.average = at::zeros_like(p);
    state.square = at::zeros_like(p);
    if (settings_.amsgrad) state.largest = at::zeros_like(p);
  }
  ++state.steps;
  double decay = settings_.weight_decay;
  if (decay != 0 && settings_.decoupled) p.mul_(1 - lr * decay);
  if (decay != 0 && !settings_.decoupled) gradient = gradient.add(p, decay);
  auto steps = static_cast<double>(state.steps);
  double correction = 1 - std::pow(settings_.beta1, steps);
  double square_correction = 1 - std::pow(settings_.beta2, steps);
  state.average.mul_(settings_.beta1).add_(gradient, 1 - settings_.beta1);
  state.square.mul_(settings_.beta2).addcmul_(gradient, gradient, 1 - settings_.beta2);
  if (settings_.amsgrad) at::max_out(state.largest, state.square, state.largest);
  const at::Tensor& square = settings_.amsgrad ? state.largest : state.square;
  at::Tensor deviation = (square.sqrt() / std::sqrt(square_correction)).add_(settings_.eps);
  p.addcdiv_(state.average, deviation, -(lr / correction));
}

void Optimizer::sgd(const at::Tensor& p, State& state, double lr) {
  at::Tensor direction = p.grad();
  if (settings_.weight_decay != 0) direction = direction.add(p, settings_.weight_decay);
  if (settings_.momentum != 0) {
    if (!state.momentum.defined())
      state.momentum = direction.clone();
    else
      state.momentum.mul_(settings_.momentum).add_(direction);
    direction =
        settings_.nesterov ? direction.add(state.momentum, settings_.momentum) : state.momentum;
  }
  ++state.steps;
  p.add_(direction, -lr);
}

double clip_gradients(const std::vector<at::Tensor>& parameters, double most) {
  at::NoGradGuard guard;
  double squares = 0;
  for (const at::Tensor& p : parameters) {
    if (!p.grad().defined()) continue;
    auto norm = p.grad().norm().item<double>();
    squares += norm * norm;
  }
  double norm = std::sqrt(squares);
  // As torch::nn::utils::clip_grad_norm_, which adds the small number.
  double scale = most / (norm + 1e-6);
  if (scale < 1)
    for (const at::Tensor& p : parameters)
      if (p.grad().defined()) p.grad().mul_(scale);
  return norm;
}

}  // namespace dtp::runtime::train

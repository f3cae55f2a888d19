// The optimizer's step, parameter by parameter, with LibTorch's own arithmetic (torch/csrc/api/src/
// optim/{sgd,adam,adamw}.cpp, 1.13): the same numbers and the same memory, but states that can be
// written down and read back.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config/training_config.h"

namespace dtp::runtime::train {

class Optimizer {
 public:
  struct State {
    int64_t steps = 0;
    at::Tensor average, square, largest, momentum;  // undefined where there is none yet
  };

  Optimizer(const runtime::Optimizer& settings, std::vector<at::Tensor> parameters);

  // Parameters without a gradient stay as they are.
  void step(double lr);
  // After a step; else they are set to zero and stay.
  void clear_gradients(bool free);

  std::vector<State>& states() { return states_; }
  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  // A state's tensors by the names that PyTorch gives them.
  struct Slot {
    const char* name;
    at::Tensor State::* tensor;
  };
  static const std::vector<Slot>& slots();

 private:
  void adam(const at::Tensor& p, State& state, double lr);
  void sgd(const at::Tensor& p, State& state, double lr);

  runtime::Optimizer settings_;
  std::vector<at::Tensor> parameters_;
  std::vector<State> states_;
};

// Scales the gradients so that their norm is at most `most`; the norm before.
double clip_gradients(const std::vector<at::Tensor>& parameters, double most);

}  // namespace dtp::runtime::train

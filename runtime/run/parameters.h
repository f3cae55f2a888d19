// The parameters and buffers of a model, one tensor a copy: a parameter of a repeated part exists
// once an iteration.
#pragma once
#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "runtime/config/training_config.h"

namespace dtp::runtime {

struct ParameterCopy {
  const Parameter* declared;
  std::string key;  // in the state dict: "blocks.3.fc1.weight"
  at::Tensor value;
};

class Parameters {
 public:
  // Started as the config says; the same seed gives the same values on every rank.
  Parameters(const TrainingConfig& config, at::Device device, uint64_t seed);
  Parameters(const Parameters&) = delete;

  // In the order of the model: those of one scope together, copy by copy.
  std::vector<ParameterCopy>& all() { return all_; }
  const std::vector<ParameterCopy>& all() const { return all_; }
  std::vector<at::Tensor> trainable() const;
  // `copy`: of the parameter's scope.
  const at::Tensor& at(uint32_t parameter, int64_t copy) const {
    return all_[places_[parameter][static_cast<size_t>(copy)]].value;
  }

 private:
  std::vector<ParameterCopy> all_;
  std::vector<std::vector<uint32_t>> places_;  // by parameter and copy: into all_
};

}  // namespace dtp::runtime

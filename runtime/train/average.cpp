#include "runtime/train/average.h"

#include <ATen/ATen.h>

namespace dtp::runtime::train {

Average::Average(const Parameters& parameters, double decay) : decay_(decay) {
  at::NoGradGuard guard;
  for (size_t i = 0; i < parameters.all().size(); ++i)
    if (!parameters.all()[i].declared->frozen)
      copies_.push_back({i, parameters.all()[i].value.detach().clone()});
}

void Average::update(const Parameters& parameters) {
  at::NoGradGuard guard;
  for (Copy& copy : copies_) {
    const at::Tensor& now = parameters.all()[copy.parameter].value;
    if (now.is_floating_point())
      copy.value.lerp_(now, 1 - decay_);
    else
      copy.value.copy_(now);
  }
}

}  // namespace dtp::runtime::train

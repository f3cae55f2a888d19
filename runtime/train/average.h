// The moving average of the parameters: what is evaluated and shipped.
#pragma once
#include <ATen/core/Tensor.h>

#include <vector>

#include "runtime/run/parameters.h"

namespace dtp::runtime::train {

class Average {
 public:
  // Of all that is not frozen, buffers too; a copy of what they are now.
  Average(const Parameters& parameters, double decay);
  void update(const Parameters& parameters);

  struct Copy {
    size_t parameter;  // into Parameters::all()
    at::Tensor value;
  };
  std::vector<Copy>& copies() { return copies_; }

 private:
  double decay_;
  std::vector<Copy> copies_;
};

}  // namespace dtp::runtime::train

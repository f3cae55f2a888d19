// Gradients reduced over the ranks in buckets, as PyTorch's DDP cuts them: the last parameters
// first, whole tensors, the first bucket smaller so that it can leave early.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "runtime/parallel/group.h"

namespace dtp::runtime::parallel {

class Buckets {
 public:
  // `views`: gradients lie in the buckets from a reduction until they are cleared.
  Buckets(std::vector<at::Tensor> parameters, int64_t first, int64_t other, bool views);
  // Each gradient becomes the mean over `world` ranks.
  void reduce(Group& group, int world);
  size_t count() const { return buckets_.size(); }

 private:
  struct Bucket {
    std::vector<size_t> parameters;
    at::Tensor flat;
  };
  void gather(Bucket& bucket);
  void scatter(Bucket& bucket);

  std::vector<at::Tensor> parameters_;
  std::vector<Bucket> buckets_;
  bool views_;
};

}  // namespace dtp::runtime::parallel

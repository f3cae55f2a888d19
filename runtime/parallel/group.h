// The processes that share a step: ranks of one group, over gloo.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <vector>

namespace dtp::runtime::parallel {

// Who this process is, by the variables that torchrun and other launchers set: RANK, WORLD_SIZE,
// LOCAL_WORLD_SIZE. Alone where they are not set.
struct Membership {
  int rank = 0, world = 1, local_world = 1;
};
Membership membership();

class Group {
 public:
  virtual ~Group() = default;
  // The sum over all ranks, in place. The function that is given waits for it.
  virtual std::function<void()> sum(at::Tensor tensor) = 0;
  // Rank 0's values, in place.
  virtual void broadcast(at::Tensor tensor) = 0;
};

// Meets the others at MASTER_ADDR:MASTER_PORT. Null for a world of one.
std::unique_ptr<Group> join(const Membership& membership);

}  // namespace dtp::runtime::parallel

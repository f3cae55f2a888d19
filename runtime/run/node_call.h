// A node at work, as its operation sees it.
#pragma once
#include "runtime/ops/call.h"
#include "runtime/run/executor.h"

namespace dtp::runtime {

class NodeCall final : public Call {
 public:
  NodeCall(Executor& executor, const Node& node);

  at::Tensor take(size_t i) override;
  void give(size_t i, at::Tensor value) override;
  const at::Tensor& parameter(size_t i) override;
  std::vector<int64_t> input_shape(size_t i) const override;
  std::vector<int64_t> output_shape(size_t i) const override;
  std::vector<int64_t> shape() const override;
  int64_t samples() const override;
  int64_t iteration() const override;
  at::ScalarType real_type() const override;
  bool training() const override { return executor_.training_; }

 private:
  Executor& executor_;
  std::vector<bool> taken_;  // by input
};

}  // namespace dtp::runtime

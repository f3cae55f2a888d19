// One node of the graph at work: what an operation's file in this folder sees. Each defines
// `void dtp::runtime::ops::<name>(Call&)`, calls ATen as the rule in compiler/ops/<name>.cpp says,
// one call a statement, and lets its tensors go where the rule does.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/config/training_config.h"

namespace dtp::runtime {

class Call {
 public:
  virtual ~Call() = default;

  const Node& node() const { return *node_; }
  size_t inputs() const { return node_->inputs.size(); }
  size_t outputs() const { return node_->outputs.size(); }
  size_t parameters() const { return node_->parameters.size(); }
  int64_t integer(size_t i) const { return node_->integers[i]; }
  double real(size_t i) const { return node_->reals[i]; }

  // Input `i`. Where this node is the last to read it, it leaves the graph's hands: the caller
  // decides when it dies. Each is taken once.
  virtual at::Tensor take(size_t i) = 0;
  virtual void give(size_t i, at::Tensor value) = 0;
  virtual const at::Tensor& parameter(size_t i) = 0;
  // As the graph says it, for this batch.
  virtual std::vector<int64_t> input_shape(size_t i) const = 0;
  virtual std::vector<int64_t> output_shape(size_t i) const = 0;
  virtual std::vector<int64_t> shape() const = 0;  // of the attributes
  virtual int64_t samples() const = 0;             // of the micro-batch
  virtual int64_t iteration() const = 0;           // of the innermost repeat, from 0
  virtual bool training() const = 0;               // else nothing is left to chance
  virtual at::ScalarType real_type() const = 0;    // of tensors that nothing else gives a type

 protected:
  const Node* node_ = nullptr;
};

}  // namespace dtp::runtime

#include "runtime/run/node_call.h"

#include <algorithm>
#include <stdexcept>

#include "runtime/run/types.h"

namespace dtp::runtime {
namespace {

// A config can name an operation and give it too little.
void check(size_t i, size_t size, const char* kind) {
  if (i >= size)
    throw std::runtime_error("takes " + std::string(kind) + " " + std::to_string(i) + " of " +
                             std::to_string(size));
}

}  // namespace

NodeCall::NodeCall(Executor& executor, const Node& node)
    : executor_(executor), taken_(node.inputs.size()) {
  node_ = &node;
}

at::Tensor NodeCall::take(size_t i) {
  check(i, inputs(), "input");
  uint32_t tensor = node_->inputs[i];
  taken_[i] = true;
  const std::vector<uint32_t>& frees = node_->frees;
  bool last = std::find(frees.begin(), frees.end(), tensor) != frees.end();
  for (size_t k = 0; k < inputs() && last; ++k)
    if (node_->inputs[k] == tensor && !taken_[k]) last = false;
  return executor_.take(tensor, last);
}

void NodeCall::give(size_t i, at::Tensor value) {
  check(i, outputs(), "output");
  uint32_t tensor = node_->outputs[i];
  executor_.give(tensor, executor_.used_[tensor], std::move(value));
}

const at::Tensor& NodeCall::parameter(size_t i) {
  check(i, parameters(), "parameter");
  uint32_t id = node_->parameters[i];
  return executor_.parameters_.at(id, executor_.copy_of_[executor_.graph_.parameters[id].scope]);
}

std::vector<int64_t> NodeCall::input_shape(size_t i) const {
  check(i, inputs(), "input");
  return sizes_of(executor_.graph_.tensors[node_->inputs[i]].shape, samples());
}
std::vector<int64_t> NodeCall::output_shape(size_t i) const {
  check(i, outputs(), "output");
  return sizes_of(executor_.graph_.tensors[node_->outputs[i]].shape, samples());
}
std::vector<int64_t> NodeCall::shape() const { return sizes_of(node_->shape, samples()); }
int64_t NodeCall::samples() const { return executor_.config_.micro_batch; }
int64_t NodeCall::iteration() const {
  if (executor_.inside_.empty()) return 0;
  auto [scope, copy] = executor_.inside_.back();
  return copy % executor_.graph_.scopes[scope].count;
}
at::ScalarType NodeCall::real_type() const { return type_of(executor_.config_.parameters); }

}  // namespace dtp::runtime

// Runs a graph as one training step does: forward, then backward by LibTorch's autograd. What lives
// how long is the config's matter: each value goes at the last use that the config names.
#pragma once
#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/meter/labels.h"
#include "runtime/run/parameters.h"

namespace dtp::runtime {

class Executor {
 public:
  // All three outlive it. `config` is validated.
  Executor(const TrainingConfig& config, const Parameters& parameters, at::Device device);
  Executor(const Executor&) = delete;

  // The loss of one micro-batch; `inputs` in the order of the graph's.
  at::Tensor forward(const std::vector<at::Tensor>& inputs);
  // Adds `share` of the loss's gradients to those of the parameters.
  void backward(const at::Tensor& loss, double share = 1);
  // What the graph still holds of a pass.
  void end_pass() { frame_.assign(frame_.size(), at::Tensor()); }

  // False: nothing is dropped or replaced at random, and norms take what they have gathered.
  void set_training(bool on) { training_ = on; }
  // Shows the inputs of each operation of this name before it runs.
  using Watcher = std::function<void(const std::vector<at::Tensor>& inputs)>;
  void watch(std::string operation, Watcher watcher) {
    watched_ = std::move(operation);
    watcher_ = std::move(watcher);
  }

  // Whether backward steps are labelled, for a trace.
  void label_backward(bool on) { labelled_ = on; }
  const meter::BackwardLabels& labels() const { return labels_; }

 private:
  friend class NodeCall;
  friend struct Recomputed;
  struct Remembered;
  using Values = std::vector<at::Tensor>;

  at::Tensor take(uint32_t tensor, bool last);
  void give(uint32_t tensor, bool used, at::Tensor value);
  void set_label(uint32_t label);
  void run_items(uint32_t region);
  void run_node(uint32_t index);
  void run_repeat(uint32_t index);
  Values run_body(const Repeat& repeat, Values carried, const Values& captured);
  Values run_checkpointed(uint32_t index, Values carried, const Values& captured);
  Values recompute(Remembered& remembered, Values saved, const Values& gradients);
  void find_used();
  bool trains(uint32_t region) const;

  const TrainingConfig& config_;
  const Graph& graph_;
  const Parameters& parameters_;
  const at::Device device_;
  std::vector<bool> used_;                            // by tensor: somebody reads it
  std::vector<bool> trains_;                          // by repeat: its body has parameters to train
  const at::Tensor anchor_;                           // empty, and needs a gradient
  Values frame_;                                      // by tensor
  std::vector<int64_t> copy_of_;                      // by scope: the copy of its parameters in use
  std::vector<std::pair<uint32_t, int64_t>> inside_;  // iterations around: scope and copy
  bool labelled_ = false;
  bool training_ = true;
  std::string watched_;
  Watcher watcher_;
  meter::BackwardLabels labels_;
};

}  // namespace dtp::runtime

#include "runtime/run/executor.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/ops/table.h"
#include "runtime/run/autocast.h"
#include "runtime/run/node_call.h"
#include "runtime/run/types.h"

namespace dtp::runtime {

Executor::Executor(const TrainingConfig& config, const Parameters& parameters, at::Device device)
    : config_(config),
      graph_(config.graph),
      parameters_(parameters),
      device_(device),
      used_(graph_.tensors.size()),
      anchor_(at::empty({0}, at::TensorOptions(device)).set_requires_grad(true)),
      frame_(graph_.tensors.size()),
      copy_of_(graph_.scopes.size()) {
  find_used();
  for (const Repeat& repeat : graph_.repeats) trains_.push_back(trains(repeat.body));
}

void Executor::find_used() {
  auto all = [this](const std::vector<uint32_t>& tensors) {
    for (uint32_t id : tensors) used_[id] = true;
  };
  for (const Node& node : graph_.nodes) all(node.inputs);
  for (const Release& release : graph_.releases) all(release.frees);
  for (const Repeat& repeat : graph_.repeats) {
    all(repeat.captured);
    for (const Carried& c : repeat.carried) used_[c.outer_in] = used_[c.inner_out] = true;
  }
  used_[graph_.output] = true;
}

bool Executor::trains(uint32_t region) const {
  auto trained = [this](uint32_t id) { return graph_.parameters[id].trainable; };
  return std::ranges::any_of(graph_.regions[region].items, [&](Item item) {
    if (item.kind == ItemKind::repeat) return trains(graph_.repeats[item.index].body);
    return item.kind == ItemKind::node &&
           std::ranges::any_of(graph_.nodes[item.index].parameters, trained);
  });
}

at::Tensor Executor::take(uint32_t tensor, bool last) {
  return last ? std::move(frame_[tensor]) : frame_[tensor];
}

void Executor::give(uint32_t tensor, bool used, at::Tensor value) {
  if (used) frame_[tensor] = std::move(value);
}

void Executor::set_label(uint32_t label) {
  meter::label_at_work = label;
  if (labelled_) labels_.from_here(label);
}

void Executor::run_items(uint32_t region) {
  for (Item item : graph_.regions[region].items) {
    switch (item.kind) {
      case ItemKind::node: run_node(item.index); break;
      case ItemKind::repeat: run_repeat(item.index); break;
      case ItemKind::no_gradient: {
        at::NoGradGuard guard;
        run_items(graph_.no_gradients[item.index].body);
        break;
      }
      case ItemKind::release:
        for (uint32_t id : graph_.releases[item.index].frees) frame_[id].reset();
        break;
    }
  }
}

void Executor::run_node(uint32_t index) {
  const Node& node = graph_.nodes[index];
  set_label(meter::label_of_node(index));
  if (node.operation == watched_) {
    Values inputs;
    for (uint32_t id : node.inputs) inputs.push_back(frame_[id]);
    watcher_(inputs);
  }
  NodeCall call(*this, node);
  try {
    ops::find(node.operation)(call);
  } catch (const std::exception& error) {
    std::string what = error.what();
    // LibTorch appends its own stack.
    throw std::runtime_error(meter::spell_label(graph_, meter::label_of_node(index)) + ": " +
                             what.substr(0, what.find("\nException raised from")));
  }
}

// Parameters are copied by the scopes they were made in, not by the repeats around a call.
void Executor::run_repeat(uint32_t index) {
  const Repeat& repeat = graph_.repeats[index];
  auto among = [](const std::vector<uint32_t>& list, uint32_t id) {
    return std::ranges::find(list, id) != list.end();
  };
  Values carried, captured;
  for (size_t i = 0; i < repeat.carried.size(); ++i) {
    uint32_t id = repeat.carried[i].outer_in;
    bool last = among(repeat.frees, id) && !among(repeat.captured, id);
    for (size_t k = i + 1; k < repeat.carried.size(); ++k)
      last = last && repeat.carried[k].outer_in != id;
    carried.push_back(take(id, last));
  }
  for (uint32_t id : repeat.captured) captured.push_back(frame_[id]);

  bool checkpointed = repeat.checkpointed && config_.recompute && at::GradMode::is_enabled();
  const Scope& scope = graph_.scopes[repeat.scope];
  int64_t first = copy_of_[scope.parent] * scope.count;
  for (int64_t i = 0; i < repeat.count; ++i) {
    copy_of_[repeat.scope] = first + i;
    inside_.emplace_back(repeat.scope, first + i);
    carried = checkpointed ? run_checkpointed(index, std::move(carried), captured)
                           : run_body(repeat, std::move(carried), captured);
    inside_.pop_back();
  }
  captured.clear();
  for (uint32_t id : repeat.captured)
    if (among(repeat.frees, id)) frame_[id].reset();
  for (size_t i = 0; i < carried.size(); ++i)
    give(repeat.carried[i].outer_out, repeat.carried[i].used, std::move(carried[i]));
}

Executor::Values Executor::run_body(const Repeat& repeat, Values carried, const Values& captured) {
  Values outside;
  for (size_t i = 0; i < captured.size(); ++i) {
    outside.push_back(std::move(frame_[repeat.captured[i]]));
    frame_[repeat.captured[i]] = captured[i];
  }
  for (size_t i = 0; i < carried.size(); ++i)
    give(repeat.carried[i].inner_in, repeat.carried[i].inner_used, std::move(carried[i]));
  carried.clear();
  run_items(repeat.body);
  Values results;
  for (size_t i = 0; i < repeat.carried.size(); ++i) {
    uint32_t id = repeat.carried[i].inner_out;
    bool last = true;
    for (size_t k = i + 1; k < repeat.carried.size(); ++k)
      last = last && repeat.carried[k].inner_out != id;
    results.push_back(take(id, last));
  }
  for (size_t i = 0; i < outside.size(); ++i) frame_[repeat.captured[i]] = std::move(outside[i]);
  return results;
}

at::Tensor Executor::forward(const std::vector<at::Tensor>& inputs) {
  labels_.begin_pass();
  Autocast autocast(config_.autocast, device_.type(), type_of(config_.compute));
  for (size_t i = 0; i < graph_.inputs.size(); ++i)
    give(graph_.inputs[i].tensor, used_[graph_.inputs[i].tensor], inputs[i]);
  run_items(0);
  return take(graph_.output, true);
}

// Outside of autocast: backward steps take the types that their forward steps took.
void Executor::backward(const at::Tensor& loss, double share) {
  if (!loss.requires_grad())
    throw std::runtime_error("the loss depends on nothing that is trained");
  set_label(meter::label_of_loss(graph_));
  at::Tensor one = at::full_like(loss, share);
  torch::autograd::backward({loss}, {one});
}

}  // namespace dtp::runtime

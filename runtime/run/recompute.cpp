// Activation checkpointing with re-entrance: the forward pass of a repeated part runs without
// gradients and keeps its inputs, the state of the random numbers and of autocast; the backward
// step runs it again and starts a backward pass of its own.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "runtime/run/autocast.h"
#include "runtime/run/executor.h"
#include "runtime/run/types.h"

namespace dtp::runtime {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The state of the generator lives as long as the node that holds it.
struct Executor::Remembered : torch::CustomClassHolder {
  Executor* executor = nullptr;
  uint32_t repeat = 0;
  std::vector<std::pair<uint32_t, int64_t>> inside;
  bool autocast = false;
  at::Tensor random;
};

struct Recomputed : torch::autograd::Function<Recomputed> {
  static variable_list forward(AutogradContext* context,
                               c10::intrusive_ptr<Executor::Remembered> remembered,
                               at::TensorList inputs, variable_list carried,
                               const variable_list& captured) {
    const size_t given = carried.size() + captured.size();
    context->save_for_backward(inputs.slice(0, given).vec());
    context->saved_data["anchors"] = static_cast<int64_t>(inputs.size() - given);
    // Results that nobody reads get no gradient, not one of zeros.
    context->set_materialize_grads(false);
    context->saved_data["remembered"] = c10::IValue::make_capsule(remembered);
    Executor& executor = *remembered->executor;
    const Repeat& repeat = executor.graph_.repeats[remembered->repeat];
    NoCastCache guard;
    return executor.run_body(repeat, std::move(carried), captured);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    auto remembered = c10::static_intrusive_pointer_cast<Executor::Remembered>(
        context->saved_data["remembered"].toCapsule());
    variable_list results =
        remembered->executor->recompute(*remembered, context->get_saved_variables(), gradients);
    // One for each argument of forward, of lists one for each tensor.
    results.insert(results.begin(), at::Tensor());
    results.resize(results.size() + static_cast<size_t>(context->saved_data["anchors"].toInt()) +
                   2);
    return results;
  }
};

Executor::Values Executor::run_checkpointed(uint32_t index, Values carried,
                                            const Values& captured) {
  set_label(meter::label_of_repeat(graph_, index));
  auto remembered = c10::make_intrusive<Remembered>();
  remembered->executor = this;
  remembered->repeat = index;
  remembered->inside = inside_;
  remembered->autocast = Autocast::is_on(device_.type());
  remembered->random = at::globalContext().defaultGenerator(device_).get_state();
  Values inputs = carried;
  inputs.insert(inputs.end(), captured.begin(), captured.end());
  bool reached = std::ranges::any_of(inputs, [](const at::Tensor& t) { return t.requires_grad(); });
  // Where only what is inside is trained, an empty tensor that needs a gradient brings the backward
  // pass here.
  if (!reached && trains_[index]) inputs.push_back(anchor_);
  return Recomputed::apply(std::move(remembered), at::TensorList(inputs), std::move(carried),
                           captured);
}

Executor::Values Executor::recompute(Remembered& remembered, Values saved,
                                     const Values& gradients) {
  const Repeat& repeat = graph_.repeats[remembered.repeat];
  for (at::Tensor& leaf : saved) {
    bool needed = leaf.requires_grad();
    leaf = leaf.detach();
    leaf.set_requires_grad(needed);
  }
  auto split = saved.begin() + static_cast<ptrdiff_t>(repeat.carried.size());
  Values carried(saved.begin(), split), captured(split, saved.end());
  uint32_t label = meter::label_at_work;
  auto inside = std::exchange(inside_, remembered.inside);
  for (auto [scope, copy] : inside_) copy_of_[scope] = copy;

  at::Generator generator = at::globalContext().defaultGenerator(device_);
  at::Tensor state = generator.get_state();
  generator.set_state(remembered.random);
  at::AutoGradMode recording(true);
  Values results;
  {
    Autocast autocast(remembered.autocast, device_.type(), type_of(config_.compute));
    results = run_body(repeat, std::move(carried), captured);
  }
  generator.set_state(state);
  state.reset();
  captured.clear();
  Values roots, arrived;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!gradients[i].defined() || !results[i].requires_grad()) continue;
    roots.push_back(results[i]);
    arrived.push_back(gradients[i]);
  }
  results.clear();
  torch::autograd::backward(roots, arrived);
  roots.clear();
  inside_ = std::move(inside);
  meter::label_at_work = label;
  Values found;
  for (const at::Tensor& leaf : saved) found.push_back(leaf.grad());
  return found;
}

}  // namespace dtp::runtime

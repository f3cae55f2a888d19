// The optimizers against LibTorch's own, to the bit.
#include "runtime/train/optimizer.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace dtp::runtime::train {
namespace {

struct Pair {
  std::vector<at::Tensor> ours, theirs;
};

Pair parameters() {
  torch::manual_seed(3);
  Pair pair;
  for (int64_t size : {3, 40, 7}) {
    at::Tensor value = torch::randn({size, 5});
    pair.ours.push_back(value.clone().set_requires_grad(true));
    pair.theirs.push_back(value.clone().set_requires_grad(true));
  }
  return pair;
}

void expect_same_steps(
    const runtime::Optimizer& settings,
    const std::function<std::unique_ptr<torch::optim::Optimizer>(std::vector<at::Tensor>)>& make) {
  Pair pair = parameters();
  Optimizer ours(settings, pair.ours);
  auto theirs = make(pair.theirs);
  for (int step = 0; step < 5; ++step) {
    for (size_t i = 0; i < pair.ours.size(); ++i) {
      at::Tensor gradient = torch::randn_like(pair.ours[i]);
      pair.ours[i].mutable_grad() = gradient.clone();
      pair.theirs[i].mutable_grad() = gradient.clone();
    }
    ours.step(settings.lr);
    theirs->step();
    for (size_t i = 0; i < pair.ours.size(); ++i)
      ASSERT_TRUE(torch::equal(pair.ours[i], pair.theirs[i])) << "step " << step;
  }
}

runtime::Optimizer adam(bool decoupled, bool amsgrad) {
  runtime::Optimizer settings;
  settings.lr = 0.01;
  settings.weight_decay = 0.1;
  settings.decoupled = decoupled;
  settings.amsgrad = amsgrad;
  return settings;
}

TEST(Optimizer, AdamWIsLibTorchs) {
  for (bool amsgrad : {false, true})
    expect_same_steps(adam(true, amsgrad), [amsgrad](std::vector<at::Tensor> p) {
      return std::make_unique<torch::optim::AdamW>(
          std::move(p), torch::optim::AdamWOptions(0.01).weight_decay(0.1).amsgrad(amsgrad));
    });
}

TEST(Optimizer, AdamIsLibTorchs) {
  for (bool amsgrad : {false, true})
    expect_same_steps(adam(false, amsgrad), [amsgrad](std::vector<at::Tensor> p) {
      return std::make_unique<torch::optim::Adam>(
          std::move(p), torch::optim::AdamOptions(0.01).weight_decay(0.1).amsgrad(amsgrad));
    });
}

TEST(Optimizer, SgdIsLibTorchs) {
  for (double momentum : {0.0, 0.9})
    for (bool nesterov : {false, true}) {
      if (nesterov && momentum == 0) continue;
      runtime::Optimizer settings;
      settings.kind = OptimizerKind::sgd;
      settings.lr = 0.1;
      settings.weight_decay = 0.01;
      settings.momentum = momentum;
      settings.nesterov = nesterov;
      expect_same_steps(settings, [&](std::vector<at::Tensor> p) {
        return std::make_unique<torch::optim::SGD>(
            std::move(p),
            torch::optim::SGDOptions(0.1).weight_decay(0.01).momentum(momentum).nesterov(nesterov));
      });
    }
}

TEST(Optimizer, ClipsAsLibTorch) {
  Pair pair = parameters();
  for (size_t i = 0; i < pair.ours.size(); ++i) {
    at::Tensor gradient = torch::randn_like(pair.ours[i]);
    pair.ours[i].mutable_grad() = gradient.clone();
    pair.theirs[i].mutable_grad() = gradient.clone();
  }
  double norm = clip_gradients(pair.ours, 0.5);
  double expected = torch::nn::utils::clip_grad_norm_(pair.theirs, 0.5);
  EXPECT_NEAR(norm, expected, 1e-5);
  for (size_t i = 0; i < pair.ours.size(); ++i)
    EXPECT_TRUE(torch::allclose(pair.ours[i].grad(), pair.theirs[i].grad(), 1e-5));
}

}  // namespace
}  // namespace dtp::runtime::train

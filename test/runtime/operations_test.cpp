// What each operation gives, which gradients it has, and what it keeps alive.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>
#include <map>
#include <set>

#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

std::string name_of(const Case& c) { return c.operation + (c.what.empty() ? "" : " ") + c.what; }
bool is_real(const at::Tensor& x) { return at::isFloatingType(x.scalar_type()); }

TEST(Operations, GiveWhatTheirFormulaGives) {
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name_of(c));
    std::vector<at::Tensor> expected = c.expected(c.given), made = run(c.operation, c.given);
    ASSERT_EQ(made.size(), expected.size());
    for (size_t i = 0; i < made.size(); ++i)
      EXPECT_TRUE(at::allclose(made[i].to(at::kDouble), expected[i].to(at::kDouble), 1e-5, 1e-6))
          << made[i] << "\nand not\n"
          << expected[i];
  }
}

// The sum of all that is real in what comes out, each element times a weight of its own.
at::Tensor weighed(const Case& c, const Given& given) {
  at::Tensor sum = at::zeros({}, at::kDouble);
  for (const at::Tensor& out : run(c.operation, given)) {
    if (!is_real(out)) continue;
    at::Tensor weights = at::arange(1, out.numel() + 1, at::kDouble).sin().view(out.sizes());
    sum = sum + (out * weights).sum();
  }
  return sum;
}

// Central differences, element by element.
at::Tensor slope(const Case& c, const Given& given, const at::Tensor& x) {
  constexpr double kStep = 1e-5;
  at::NoGradGuard no_grad;
  at::Tensor out = at::empty(x.sizes(), at::kDouble);
  auto* at = x.data_ptr<double>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    double was = at[i];
    at[i] = was + kStep;
    double more = weighed(c, given).item<double>();
    at[i] = was - kStep;
    double less = weighed(c, given).item<double>();
    at[i] = was;
    out.data_ptr<double>()[i] = (more - less) / (2 * kStep);
  }
  return out;
}

// These round on the way, to what 32 bits hold.
const std::set<std::string> kRounded = {"load_balance"};
const std::set<std::string> kWithoutGradient = {"detach", "argsort"};
// The first parameter that moves by itself and has no gradient.
const std::map<std::string, size_t> kMoving = {{"batch_norm", 2}};

std::vector<at::Tensor> leaves_of(const Case& c, Given& given) {
  std::vector<at::Tensor> leaves;
  auto add = [&](at::Tensor& x) {
    if (is_real(x)) leaves.push_back(x = x.contiguous().clone().set_requires_grad(true));
  };
  for (at::Tensor& x : given.inputs) add(x);
  auto moving = kMoving.find(c.operation);
  for (size_t i = 0; i < given.parameters.size(); ++i)
    if (moving == kMoving.end() || i < moving->second) add(given.parameters[i]);
  return leaves;
}

TEST(Operations, GradientsAreTheSlopes) {
  for (const Case& c : all_cases()) {
    if (kRounded.count(c.operation) + kWithoutGradient.count(c.operation) > 0) continue;
    SCOPED_TRACE(name_of(c));
    Given given = c.given;
    std::vector<at::Tensor> leaves = leaves_of(c, given);
    at::Tensor sum = weighed(c, given);
    torch::autograd::backward({sum}, {});
    for (const at::Tensor& leaf : leaves)
      if (leaf.grad().defined())
        EXPECT_TRUE(at::allclose(leaf.grad(), slope(c, given, leaf), 1e-5, 1e-6))
            << leaf.grad() << "\nand not\n"
            << slope(c, given, leaf);
      else
        EXPECT_TRUE(at::allclose(slope(c, given, leaf), at::zeros_like(leaf)));
  }
}

TEST(Operations, DetachHasNoGradient) {
  at::Tensor x = drawn({2, 3}).set_requires_grad(true);
  EXPECT_FALSE(run_one("detach", {{x}, {{2, 3}}}).requires_grad());
}

// Without autograd nothing outlives the operation but what it gives.
TEST(Operations, LetTheirInputsGo) {
  at::NoGradGuard no_grad;
  for (const Case& c : all_cases()) {
    SCOPED_TRACE(name_of(c));
    std::vector<c10::weak_intrusive_ptr<c10::StorageImpl>> storages;
    Given given = c.given;
    for (at::Tensor& x : given.inputs) {
      x = x.clone();
      auto* storage = x.storage().unsafeGetStorageImpl();
      storages.emplace_back(c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(storage));
    }
    std::vector<at::Tensor> made = run(c.operation, std::move(given));
    for (auto& storage : storages) {
      auto alive = storage.lock();
      if (!alive) continue;
      bool shared = false;
      for (const at::Tensor& out : made)
        shared |= out.storage().unsafeGetStorageImpl() == alive.get();
      EXPECT_TRUE(shared);
    }
  }
}

TEST(Operations, EachHasATest) {
  std::set<std::string> untested;
  for (const std::string& name : all_operations()) untested.insert(name);
  for (const Case& c : all_cases()) untested.erase(c.operation);
  // Drawn at random, without a gradient or between processes: single_test.cpp.
  std::set<std::string> apart = {"alibi",
                                 "arange",
                                 "causal_mask",
                                 "full",
                                 "gather_parts",
                                 "own_part",
                                 "put",
                                 "random_int",
                                 "random_normal_like",
                                 "random_uniform",
                                 "relative_buckets",
                                 "replace_at_random",
                                 "room_like",
                                 "sinusoid",
                                 "variational_bound",
                                 "window_mask"};
  EXPECT_EQ(untested, apart);
}

}  // namespace
}  // namespace dtp::test

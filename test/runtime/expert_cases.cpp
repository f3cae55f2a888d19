// Experts, and what is made without inputs that need a gradient.
#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

// Two experts of two places; token 2 finds the first one full, and the second has a place left.
at::Tensor choices() { return at::tensor({0, 1, 0}, at::kLong).view({3, 1}); }

std::vector<at::Tensor> largest(const Given& g, bool normalised) {
  auto [sorted, order] = g.inputs[0].sort(-1, true);
  at::Tensor values = sorted.slice(-1, 0, 2);
  if (normalised) values = values / (values.select(-1, 0) + values.select(-1, 1)).unsqueeze(-1);
  return {values, order.slice(-1, 0, 2)};
}

}  // namespace

std::vector<Case> expert_cases() {
  std::vector<Case> cases;
  for (bool normalised : {false, true})
    cases.push_back({"top_k",
                     normalised ? "as shares" : "",
                     {{positive({3, 5})}, {{3, 2}, {3, 2}}, {normalised}},
                     [normalised](const Given& g) { return largest(g, normalised); }});
  cases.push_back({"dispatch", "", {{drawn({3, 4}), choices()}, {{2, 1, 4}}}, [](const Given& g) {
                     return std::vector{at::stack({g.inputs[0][0], g.inputs[0][1]}).unsqueeze(1)};
                   }});
  cases.push_back(
      {"combine", "", {{drawn({2, 2, 4}), choices(), drawn({3, 1})}, {{3, 4}}}, [](const Given& g) {
         const at::Tensor &x = g.inputs[0], &weight = g.inputs[2];
         return std::vector{
             at::stack({x[0][0] * weight[0], x[1][0] * weight[1], x[0][1] * weight[2]})};
       }});
  cases.push_back({"combine",
                   "with one dropped",
                   {{drawn({2, 1, 4}), choices(), drawn({3, 1})}, {{3, 4}}},
                   [](const Given& g) {
                     const at::Tensor &x = g.inputs[0], &weight = g.inputs[2];
                     return std::vector{at::stack(
                         {x[0][0] * weight[0], x[1][0] * weight[1], at::zeros({4}, at::kDouble)})};
                   }});
  cases.push_back({"load_balance", "", {{drawn({3, 2}), choices()}, {{}}}, [](const Given& g) {
                     at::Tensor powers = g.inputs[0].exp();
                     at::Tensor shares = (powers / powers.sum(1, true)).sum(0) / 3;
                     // In fp32, as the counts are; times the two experts.
                     return std::vector{2 * (shares[0] * 2 + shares[1]) / 3};
                   }});
  cases.push_back(
      {"add_noise",
       "",
       {{drawn({2, 3, 4}), drawn({2, 3, 4}), at::tensor({0, 1}, at::kLong)}, {{2, 3, 4}}},
       [](const Given& g) {
         double first = 1 - 1e-4, second = first * (1 - 1e-4 - (0.02 - 1e-4) / 999);
         at::Tensor kept = at::tensor({first, second}, at::kDouble).view({2, 1, 1});
         return std::vector{kept.sqrt() * g.inputs[0] + (1 - kept).sqrt() * g.inputs[1]};
       }});
  cases.push_back({"gather_relative", "", {{drawn({9, 2})}, {{2, 4, 4}}}, [](const Given& g) {
                     at::Tensor out = at::empty({2, 4, 4}, at::kDouble);
                     for (int64_t a = 0; a < 4; ++a)
                       for (int64_t b = 0; b < 4; ++b) {
                         int64_t down = a / 2 - b / 2 + 1, right = a % 2 - b % 2 + 1;
                         out.select(2, b).select(1, a).copy_(g.inputs[0][down * 3 + right]);
                       }
                     return std::vector{out};
                   }});
  cases.push_back(
      {"pick", "", {{drawn({3, 2, 4})}, {{1, 2, 4}}, {}, {}, {}, {}, 2}, [](const Given& g) {
         return std::vector{g.inputs[0][2].unsqueeze(0)};
       }});
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (auto cases :
       {elementwise_cases(), shape_cases(), product_cases(), image_cases(), expert_cases()})
    all.insert(all.end(), cases.begin(), cases.end());
  return all;
}

}  // namespace dtp::test

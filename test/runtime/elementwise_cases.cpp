#include <algorithm>
#include <cmath>

#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

using Formula = double (*)(double);
using TwoFormula = double (*)(double, double);

at::Tensor mapped(const at::Tensor& x, Formula f) {
  at::Tensor flat = x.contiguous().clone();
  double* data = flat.data_ptr<double>();
  for (int64_t i = 0; i < flat.numel(); ++i) data[i] = f(data[i]);
  return flat;
}

Case one(const std::string& operation, Formula f, bool above_zero = false,
         std::vector<int64_t> integers = {}) {
  Given given{{above_zero ? positive({3, 4}) : drawn({3, 4})}, {{3, 4}}, std::move(integers)};
  return {operation, "", std::move(given),
          [f](const Given& g) { return std::vector{mapped(g.inputs[0], f)}; }};
}

// `mode` 0: two tensors, the second a row; 1: a number on the right; 2: on the left.
Case two(const std::string& operation, TwoFormula f, int64_t mode) {
  Given given{{positive({3, 4})}, {{3, 4}}, {mode}, {1.75}};
  if (mode == 0) given.inputs.push_back(positive({1, 4}));
  auto expected = [f, mode](const Given& g) {
    at::Tensor a = g.inputs[0].clone();
    auto at = a.accessor<double, 2>();
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j) {
        double other = mode == 0 ? g.inputs[1][0][j].item<double>() : g.reals[0];
        at[i][j] = mode == 2 ? f(other, at[i][j]) : f(at[i][j], other);
      }
    return std::vector{a};
  };
  return {operation,
          mode == 0   ? "of tensors"
          : mode == 1 ? "and a number"
                      : "after a number",
          std::move(given), expected};
}

}  // namespace

std::vector<Case> elementwise_cases() {
  std::vector<Case> cases = {
      one("relu", [](double x) { return x > 0 ? x : 0; }),
      one("gelu", [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2)); }),
      one("gelu",
          [](double x) {
            return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
          },
          false, {1}),
      one("silu", [](double x) { return x / (1 + std::exp(-x)); }),
      one("hardswish", [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }),
      one("hardsigmoid", [](double x) { return std::clamp(x + 3, 0.0, 6.0) / 6; }),
      one("sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }),
      one("tanh", [](double x) { return 1 - 2 / (std::exp(2 * x) + 1); }),
      one("exp", [](double x) { return std::exp(x); }),
      one(
          "log", [](double x) { return std::log(x); }, true),
      one(
          "sqrt", [](double x) { return std::sqrt(x); }, true),
      one("negate", [](double x) { return 0 - x; })};
  for (int64_t mode : {0, 1, 2}) {
    cases.push_back(two("add", [](double a, double b) { return a + b; }, mode));
    cases.push_back(two("multiply", [](double a, double b) { return a * b; }, mode));
    cases.push_back(two("subtract", [](double a, double b) { return a - b; }, mode));
    cases.push_back(two("divide", [](double a, double b) { return a / b; }, mode));
  }
  cases.push_back({"clamp", "", {{drawn({3, 4})}, {{3, 4}}, {}, {-0.5, 0.75}}, [](const Given& g) {
                     return std::vector{mapped(g.inputs[0], [](double x) {
                       return x < -0.5 ? -0.5 : x > 0.75 ? 0.75 : x;
                     })};
                   }});
  cases.push_back({"geglu", "", {{drawn({3, 8})}, {{3, 4}}}, [](const Given& g) {
                     at::Tensor gate = mapped(g.inputs[0].slice(1, 4, 8), [](double x) {
                       return x / 2 * std::erfc(-x / std::sqrt(2));
                     });
                     return std::vector{g.inputs[0].slice(1, 0, 4) * gate};
                   }});
  cases.push_back({"dropout", "of nothing", {{drawn({3, 4})}, {{3, 4}}}, [](const Given& g) {
                     return std::vector{g.inputs[0]};
                   }});
  cases.push_back(
      {"stochastic_depth", "of nothing", {{drawn({3, 4})}, {{3, 4}}}, [](const Given& g) {
         return std::vector{g.inputs[0]};
       }});
  cases.push_back({"to_fp32", "", {{drawn({3, 4})}, {{3, 4}}}, [](const Given& g) {
                     return std::vector{g.inputs[0]};
                   }});
  return cases;
}

}  // namespace dtp::test

#include <cmath>
#include <limits>

#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

// Sums over k of a[.., i, k] b[.., k, j], one by one.
at::Tensor multiplied(const at::Tensor& a, const at::Tensor& b) {
  at::Tensor out = at::zeros({a.size(0), b.size(1)}, at::kDouble);
  for (int64_t i = 0; i < a.size(0); ++i)
    for (int64_t j = 0; j < b.size(1); ++j)
      for (int64_t k = 0; k < a.size(1); ++k) out[i][j] += a[i][k] * b[k][j];
  return out;
}

// Exponentials that sum to 1 along the last axis, without the usual shift.
at::Tensor shares(const at::Tensor& x) {
  at::Tensor powers = x.exp();
  return powers / powers.sum(-1, true);
}

struct Attention {
  bool causal = false, bias = false, mask = false;
  double scale = 0;
};

std::vector<at::Tensor> attended(const Given& g, Attention how) {
  const at::Tensor &q = g.inputs[0], &k = g.inputs[1], &v = g.inputs[2];
  at::Tensor out = at::empty({q.size(0), q.size(1), q.size(2), v.size(3)}, at::kDouble);
  int64_t group = q.size(1) / k.size(1);
  double scale = how.scale != 0 ? how.scale : std::pow(static_cast<double>(q.size(3)), -0.5);
  for (int64_t b = 0; b < q.size(0); ++b)
    for (int64_t h = 0; h < q.size(1); ++h) {
      at::Tensor scores = multiplied(q[b][h] * scale, k[b][h / group].t());
      if (how.bias) scores += g.inputs[3][h];
      if (how.mask) scores += g.inputs.back()[b % g.inputs.back().size(0)];
      for (int64_t i = 0; i < scores.size(0); ++i)
        for (int64_t j = i + 1; how.causal && j < scores.size(1); ++j)
          scores[i][j] = -std::numeric_limits<double>::infinity();
      out[b][h].copy_(multiplied(shares(scores), v[b][h / group]));
    }
  return {out};
}

Case attention(const std::string& what, int64_t key_heads, Attention how) {
  Given given{{drawn({4, 4, 5, 3}), drawn({4, key_heads, 5, 3}), drawn({4, key_heads, 5, 3})},
              {{4, 4, 5, 3}},
              {how.causal, how.bias, how.mask, how.scale != 0},
              {how.scale, 0}};
  if (how.bias) given.inputs.push_back(drawn({4, 5, 5}));
  if (how.mask) given.inputs.push_back(drawn({2, 5, 5}));
  return {"attention", what, std::move(given), [how](const Given& g) { return attended(g, how); }};
}

Case linear(const std::string& what, const at::Tensor& x, bool bias) {
  Sizes out = x.sizes().vec();
  out.back() = 4;
  Given given{{x}, {out}, {}, {}, {}, {drawn({4, 3})}};
  if (bias) given.parameters.push_back(drawn({4}));
  return {"linear", what, std::move(given), [out](const Given& g) {
            at::Tensor rows = g.inputs[0].reshape({-1, 3});
            at::Tensor y = multiplied(rows, g.parameters[0].t());
            if (g.parameters.size() > 1) y = y + g.parameters[1];
            return std::vector{y.view(out)};
          }};
}

at::Tensor turned(const at::Tensor& x, const Given& g) {
  at::Tensor out = at::empty_like(x);
  int64_t half = x.size(3) / 2;
  for (int64_t t = 0; t < x.size(2); ++t)
    for (int64_t i = 0; i < x.size(3); ++i) {
      at::Tensor other = i < half ? -x.select(3, i + half) : x.select(3, i - half);
      out.select(3, i).select(2, t).copy_(x.select(3, i).select(2, t) * g.parameters[0][t][i] +
                                          other.select(2, t) * g.parameters[1][t][i]);
    }
  return out;
}

std::vector<Case> normalisations() {
  auto normal = [](const at::Tensor& x) {
    at::Tensor centred = x - x.sum(-1, true) / static_cast<double>(x.size(-1));
    return centred / (centred.pow(2).sum(-1, true) / static_cast<double>(x.size(-1)) + 1e-5).sqrt();
  };
  return {{"layer_norm",
           "",
           {{drawn({2, 3, 8})}, {{2, 3, 8}}, {}, {1e-5}, {}, {drawn({8}), drawn({8})}},
           [normal](const Given& g) {
             return std::vector{normal(g.inputs[0]) * g.parameters[0] + g.parameters[1]};
           }},
          {"layer_norm",
           "without weights",
           {{drawn({2, 3, 8})}, {{2, 3, 8}}, {}, {1e-5}},
           [normal](const Given& g) { return std::vector{normal(g.inputs[0])}; }},
          {"rms_norm",
           "",
           {{drawn({2, 3, 8})}, {{2, 3, 8}}, {}, {1e-6}, {}, {drawn({8})}},
           [](const Given& g) {
             at::Tensor length = (g.inputs[0] * g.inputs[0]).sum(-1, true).sqrt();
             return std::vector{g.inputs[0] * std::sqrt(8) / length * g.parameters[0]};
           }},
          {"rms_norm",
           "around one",
           {{drawn({2, 3, 8})}, {{2, 3, 8}}, {1}, {1e-6}, {}, {drawn({8})}},
           [](const Given& g) {
             at::Tensor length = (g.inputs[0] * g.inputs[0]).sum(-1, true).sqrt();
             return std::vector{g.inputs[0] * std::sqrt(8) / length * (g.parameters[0] + 1)};
           }},
          {"softmax",
           "",
           {{drawn({2, 3, 8})}, {{2, 3, 8}}, {2}},
           [](const Given& g) { return std::vector{shares(g.inputs[0])}; }},
          {"softmax", "along axis 1", {{drawn({2, 3, 8})}, {{2, 3, 8}}, {1}}, [](const Given& g) {
             return std::vector{shares(g.inputs[0].transpose(1, 2)).transpose(1, 2)};
           }}};
}

std::vector<Case> reductions() {
  return {
      {"sum",
       "",
       {{drawn({2, 3, 4})}, {{}}},
       [](const Given& g) {
         return std::vector{at::dot(g.inputs[0].flatten(), at::ones({24}, at::kDouble))};
       }},
      {"sum",
       "along an axis",
       {{drawn({2, 3, 4})}, {{2, 4}}, {}, {}, {1}},
       [](const Given& g) {
         const at::Tensor& x = g.inputs[0];
         return std::vector{x.select(1, 0) + x.select(1, 1) + x.select(1, 2)};
       }},
      {"mean",
       "",
       {{drawn({2, 3, 4})}, {{}}},
       [](const Given& g) {
         return std::vector{at::dot(g.inputs[0].flatten(), at::full({24}, 1.0 / 24, at::kDouble))};
       }},
      {"mean", "along axes", {{drawn({2, 3, 4})}, {{3}}, {}, {}, {0, 2}}, [](const Given& g) {
         at::Tensor rows = g.inputs[0].transpose(0, 1).reshape({3, 8});
         return std::vector{at::mv(rows, at::full({8}, 1.0 / 8, at::kDouble))};
       }}};
}

std::vector<Case> losses() {
  return {{"mse",
           "",
           {{drawn({2, 3}), drawn({2, 3})}, {{}}},
           [](const Given& g) {
             at::Tensor apart = (g.inputs[0] - g.inputs[1]).flatten();
             return std::vector{at::dot(apart, apart) / 6};
           }},
          {"cross_entropy", "", {{drawn({2, 3, 5}), below(5, {2, 3})}, {{}}}, [](const Given& g) {
             at::Tensor chances = shares(g.inputs[0]), sum = at::zeros({}, at::kDouble);
             for (int64_t b = 0; b < 2; ++b)
               for (int64_t t = 0; t < 3; ++t)
                 sum -= chances[b][t][g.inputs[1][b][t].item<int64_t>()].log();
             return std::vector{sum / 6};
           }}};
}

}  // namespace

std::vector<Case> product_cases() {
  std::vector<Case> cases = {linear("", drawn({2, 5, 3}), true),
                             linear("without bias", drawn({2, 5, 3}), false),
                             linear("of rows", drawn({5, 3}), true),
                             linear("of permuted rows", drawn({2, 3, 5}).transpose(1, 2), true),
                             attention("", 4, {}),
                             attention("causal", 4, {.causal = true}),
                             attention("with a scale", 4, {.scale = 0.5}),
                             attention("of grouped heads", 2, {}),
                             attention("with bias and mask", 4, {.bias = true, .mask = true})};
  cases.push_back(
      {"matmul", "", {{drawn({2, 3, 4}), drawn({2, 4, 5})}, {{2, 3, 5}}}, [](const Given& g) {
         const auto& [a, b] = std::tie(g.inputs[0], g.inputs[1]);
         return std::vector{at::stack({multiplied(a[0], b[0]), multiplied(a[1], b[1])})};
       }});
  cases.push_back(
      {"embedding",
       "",
       {{below(6, {2, 3})}, {{2, 3, 4}}, {}, {}, {}, {drawn({6, 4})}},
       [](const Given& g) {
         at::Tensor hot =
             (g.inputs[0].flatten().unsqueeze(1) == at::arange(6).unsqueeze(0)).to(at::kDouble);
         return std::vector{multiplied(hot, g.parameters[0]).view({2, 3, 4})};
       }});
  cases.push_back(
      {"rotary",
       "",
       {{drawn({2, 3, 4, 6}), drawn({2, 1, 4, 6})},
        {{2, 3, 4, 6}, {2, 1, 4, 6}},
        {},
        {1e4},
        {},
        {drawn({4, 6}), drawn({4, 6})}},
       [](const Given& g) { return std::vector{turned(g.inputs[0], g), turned(g.inputs[1], g)}; }});
  cases.push_back(
      {"read_parameter", "", {{}, {{2, 3}}, {}, {}, {}, {drawn({2, 3})}}, [](const Given& g) {
         return std::vector{g.parameters[0]};
       }});
  for (auto more : {normalisations(), reductions(), losses()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

}  // namespace dtp::test

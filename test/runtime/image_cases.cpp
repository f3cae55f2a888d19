#include <algorithm>
#include <limits>

#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

struct Window {
  int64_t height, width, stride_down, stride_right, top, left;
};

// Each window of an image [B, C, H, W] with zeros (or `border`) around, as [B, C, height, width].
at::Tensor window_at(const at::Tensor& image, const Window& w, int64_t row, int64_t column,
                     double border) {
  at::Tensor out = at::full({image.size(0), image.size(1), w.height, w.width}, border, at::kDouble);
  for (int64_t i = 0; i < w.height; ++i)
    for (int64_t j = 0; j < w.width; ++j) {
      int64_t y = row * w.stride_down + i - w.top, x = column * w.stride_right + j - w.left;
      if (y >= 0 && y < image.size(2) && x >= 0 && x < image.size(3))
        out.select(3, j).select(2, i).copy_(image.select(3, x).select(2, y));
    }
  return out;
}

at::Tensor slid(const at::Tensor& image, const Window& w, const Sizes& shape, double border,
                const std::function<at::Tensor(const at::Tensor&)>& made) {
  at::Tensor out = at::empty(shape, at::kDouble);
  for (int64_t y = 0; y < shape[2]; ++y)
    for (int64_t x = 0; x < shape[3]; ++x)
      out.select(3, x).select(2, y).copy_(made(window_at(image, w, y, x, border)));
  return out;
}

at::Tensor convolved(const at::Tensor& image, const Given& g, const Window& w, const Sizes& shape) {
  const at::Tensor& weight = g.parameters[0];
  int64_t each_in = weight.size(1), out = weight.size(0);
  int64_t groups = image.size(1) / each_in, each_out = out / groups;
  at::Tensor kernel = weight.reshape({out, each_in, w.height, w.width});
  return slid(image, w, shape, 0, [&](const at::Tensor& window) {
    std::vector<at::Tensor> channels;
    for (int64_t c = 0; c < out; ++c) {
      int64_t from = c / each_out * each_in;
      at::Tensor sum = (window.slice(1, from, from + each_in) * kernel[c]).sum({1, 2, 3});
      channels.push_back(g.parameters.size() > 1 ? sum + g.parameters[1][c] : sum);
    }
    return at::stack(channels, 1);
  });
}

Case conv2d(const std::string& what, int64_t groups, const Window& w, const Sizes& shape) {
  Given given{{drawn({2, 4, 5, 6})},
              {shape},
              {w.stride_down, w.stride_right, w.top, w.left},
              {},
              {},
              {drawn({shape[1], 4 / groups, w.height, w.width}), drawn({shape[1]})}};
  return {"conv2d", what, std::move(given),
          [w, shape](const Given& g) { return std::vector{convolved(g.inputs[0], g, w, shape)}; }};
}

// Over axes [1..] of each channel, or of each group of channels of each sample.
at::Tensor centred_rows(const at::Tensor& rows) {
  at::Tensor centred = rows - rows.sum(1, true) / static_cast<double>(rows.size(1));
  return centred /
         ((centred * centred).sum(1, true) / static_cast<double>(rows.size(1)) + 1e-5).sqrt();
}

}  // namespace

std::vector<Case> image_cases() {
  std::vector<Case> cases = {conv2d("", 1, {3, 3, 1, 1, 1, 1}, {2, 3, 5, 6}),
                             conv2d("with strides", 1, {3, 2, 2, 1, 0, 1}, {2, 3, 2, 7}),
                             conv2d("in groups", 2, {3, 3, 1, 1, 1, 1}, {2, 6, 5, 6})};
  cases.push_back({"conv1d",
                   "",
                   {{drawn({2, 4, 7})}, {{2, 3, 4}}, {2, 0, 1}, {}, {}, {drawn({3, 4, 3})}},
                   [](const Given& g) {
                     Window w{1, 3, 1, 2, 0, 1};
                     at::Tensor image = g.inputs[0].unsqueeze(2);
                     return std::vector{convolved(image, g, w, {2, 3, 1, 4}).squeeze(2)};
                   }});
  cases.push_back({"weight_norm",
                   "",
                   {{}, {{3, 4, 3}}, {}, {}, {}, {positive({1, 1, 3}), drawn({3, 4, 3})}},
                   [](const Given& g) {
                     at::Tensor direction = g.parameters[1];
                     at::Tensor length =
                         (direction * direction).sum(at::IntArrayRef{0, 1}, true).sqrt();
                     return std::vector{direction * g.parameters[0] / length};
                   }});
  cases.push_back(
      {"max_pool", "", {{drawn({2, 3, 5, 6})}, {{2, 3, 3, 3}}, {3, 2, 1}}, [](const Given& g) {
         double least = -std::numeric_limits<double>::infinity();
         return std::vector{slid(g.inputs[0], {3, 3, 2, 2, 1, 1}, {2, 3, 3, 3}, least,
                                 [](const at::Tensor& w) { return w.amax({2, 3}); })};
       }});
  cases.push_back(
      {"avg_pool", "", {{drawn({2, 3, 5, 6})}, {{2, 3, 3, 3}}, {3, 2, 1}}, [](const Given& g) {
         return std::vector{slid(g.inputs[0], {3, 3, 2, 2, 1, 1}, {2, 3, 3, 3}, 0,
                                 [](const at::Tensor& w) { return w.sum({2, 3}) / 9; })};
       }});
  cases.push_back(
      {"adaptive_avg_pool", "", {{drawn({2, 3, 5, 6})}, {{2, 3, 2, 3}}}, [](const Given& g) {
         return std::vector{slid(g.inputs[0], {3, 2, 2, 2, 0, 0}, {2, 3, 2, 3}, 0,
                                 [](const at::Tensor& w) { return w.sum({2, 3}) / 6; })};
       }});
  cases.push_back(
      {"patch_embed",
       "",
       {{drawn({2, 3, 4, 6})}, {{2, 6, 5}}, {2}, {}, {}, {drawn({5, 3, 2, 2}), drawn({5})}},
       [](const Given& g) {
         Window w{2, 2, 2, 2, 0, 0};
         at::Tensor image = convolved(g.inputs[0], g, w, {2, 5, 2, 3});
         return std::vector{image.reshape({2, 5, 6}).transpose(1, 2)};
       }});
  cases.push_back({"batch_norm",
                   "",
                   {{drawn({2, 3, 4, 5})},
                    {{2, 3, 4, 5}},
                    {},
                    {1e-5},
                    {},
                    {drawn({3}), drawn({3}), drawn({3}), drawn({3}), at::zeros({}, at::kLong)}},
                   [](const Given& g) {
                     at::Tensor rows = centred_rows(g.inputs[0].transpose(0, 1).reshape({3, 40}));
                     rows = rows * g.parameters[0].unsqueeze(1) + g.parameters[1].unsqueeze(1);
                     return std::vector{rows.view({3, 2, 4, 5}).transpose(0, 1)};
                   }});
  cases.push_back(
      {"group_norm",
       "",
       {{drawn({2, 4, 3, 5})}, {{2, 4, 3, 5}}, {2}, {1e-5}, {}, {drawn({4}), drawn({4})}},
       [](const Given& g) {
         at::Tensor rows = centred_rows(g.inputs[0].reshape({4, 30})).view({2, 4, 15});
         rows = rows * g.parameters[0].unsqueeze(1) + g.parameters[1].unsqueeze(1);
         return std::vector{rows.view({2, 4, 3, 5})};
       }});
  return cases;
}

}  // namespace dtp::test

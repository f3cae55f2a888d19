#include "test/runtime/cases.h"

namespace dtp::test {
namespace {

using Index = std::vector<int64_t>;

// A tensor whose element at each index is read from `from` at `place(index)`.
at::Tensor gathered(const at::Tensor& from, const Sizes& shape,
                    const std::function<Index(const Index&)>& place) {
  at::Tensor out = at::empty(shape, from.options()), source = from.contiguous();
  for (int64_t i = 0; i < out.numel(); ++i) {
    Index index(shape.size());
    for (int64_t rest = i, axis = out.dim(); axis-- > 0; rest /= shape[axis])
      index[axis] = rest % shape[axis];
    Index at = place(index);
    int64_t flat = 0;
    for (int64_t axis = 0; axis < source.dim(); ++axis) flat = flat * source.size(axis) + at[axis];
    out.data_ptr<double>()[i] = source.data_ptr<double>()[flat];
  }
  return out;
}

Case moved(const std::string& operation, const Sizes& from, const Sizes& to,
           std::function<Index(const Index&)> place, std::vector<int64_t> integers = {},
           const Sizes& shape = {}) {
  return {operation,
          "",
          {{drawn(from)}, {to}, std::move(integers), {}, shape},
          [to, place](const Given& g) { return std::vector{gathered(g.inputs[0], to, place)}; }};
}

}  // namespace

std::vector<Case> shape_cases() {
  std::vector<Case> cases = {
      moved("reshape", {2, 6}, {3, 4},
            [](const Index& i) { return Index{(i[0] * 4 + i[1]) / 6, (i[0] * 4 + i[1]) % 6}; }),
      moved("flatten", {2, 3, 4}, {2, 12},
            [](const Index& i) { return Index{i[0], i[1] / 4, i[1] % 4}; }),
      moved("transpose", {2, 3, 4}, {4, 3, 2},
            [](const Index& i) { return Index{i[2], i[1], i[0]}; }, {0, 2}),
      moved("permute", {2, 3, 4}, {4, 2, 3}, [](const Index& i) { return Index{i[1], i[2], i[0]}; },
            {}, {2, 0, 1}),
      moved("unsqueeze", {2, 3}, {2, 1, 3}, [](const Index& i) { return Index{i[0], i[2]}; }, {1}),
      moved("expand", {2, 1, 3}, {2, 4, 3}, [](const Index& i) { return Index{i[0], 0, i[2]}; }),
      moved("first", {2, 3, 4}, {2, 4}, [](const Index& i) { return Index{i[0], 0, i[1]}; }, {1}),
      moved("slice", {2, 5, 4}, {2, 3, 4},
            [](const Index& i) { return Index{i[0], i[1] + 1, i[2]}; }, {1, 1}),
      moved("detach", {2, 3}, {2, 3}, [](const Index& i) { return i; }),
      moved("split_heads", {2, 3, 8}, {2, 4, 3, 2},
            [](const Index& i) { return Index{i[0], i[2], i[1] * 2 + i[3]}; }),
      moved("merge_heads", {2, 4, 3, 2}, {2, 3, 8},
            [](const Index& i) { return Index{i[0], i[2] / 2, i[1], i[2] % 2}; }),
      moved("roll", {2, 3, 4}, {2, 3, 4},
            [](const Index& i) { return Index{i[0], (i[1] + 2) % 3, (i[2] + 1) % 4}; }, {1},
            {0, 1, 3}),
      moved("window_partition", {2, 4, 6, 3}, {12, 4, 3},
            [](const Index& i) {
              int64_t w = i[0] % 6;
              return Index{i[0] / 6, w / 3 * 2 + i[1] / 2, w % 3 * 2 + i[1] % 2, i[2]};
            },
            {2}),
      moved("window_merge", {12, 4, 3}, {2, 4, 6, 3},
            [](const Index& i) {
              int64_t window = i[0] * 6 + i[1] / 2 * 3 + i[2] / 2;
              return Index{window, i[1] % 2 * 2 + i[2] % 2, i[3]};
            },
            {2, 4, 6}),
      moved("space_to_depth", {2, 4, 6, 3}, {2, 2, 3, 12},
            [](const Index& i) {
              int64_t place = i[3] / 3;  // down the rows first
              return Index{i[0], i[1] * 2 + place % 2, i[2] * 2 + place / 2, i[3] % 3};
            },
            {2}),
      moved("unpatchify", {2, 6, 8}, {2, 2, 4, 6},
            [](const Index& i) {
              int64_t patch = i[2] / 2 * 3 + i[3] / 2;
              return Index{i[0], patch, (i[2] % 2 * 2 + i[3] % 2) * 2 + i[1]};
            },
            {2}),
      moved("upsample", {1, 2, 3, 2}, {1, 2, 6, 4},
            [](const Index& i) { return Index{i[0], i[1], i[2] / 2, i[3] / 2}; })};
  cases.push_back(
      {"chunk", "", {{drawn({2, 6})}, {{2, 2}, {2, 2}, {2, 2}}, {1}}, [](const Given& g) {
         std::vector<at::Tensor> parts;
         for (int64_t p = 0; p < 3; ++p)
           parts.push_back(gathered(g.inputs[0], {2, 2},
                                    [p](const Index& i) { return Index{i[0], i[1] + 2 * p}; }));
         return parts;
       }});
  cases.push_back({"split_qkv",
                   "",
                   {{drawn({2, 3, 12})}, {{2, 2, 3, 2}, {2, 2, 3, 2}, {2, 2, 3, 2}}},
                   [](const Given& g) {
                     std::vector<at::Tensor> parts;
                     for (int64_t p = 0; p < 3; ++p)
                       parts.push_back(gathered(g.inputs[0], {2, 2, 3, 2}, [p](const Index& i) {
                         return Index{i[0], i[2], p * 4 + i[1] * 2 + i[3]};
                       }));
                     return parts;
                   }});
  cases.push_back(
      {"concat", "", {{drawn({2, 3}), drawn({2, 1})}, {{2, 4}}, {1}}, [](const Given& g) {
         at::Tensor out = at::empty({2, 4}, at::kDouble);
         for (int64_t j = 0; j < 4; ++j)
           out.select(1, j).copy_(j < 3 ? g.inputs[0].select(1, j) : g.inputs[1].select(1, 0));
         return std::vector{out};
       }});
  cases.push_back(
      {"pad", "", {{drawn({1, 2, 3, 4})}, {{1, 2, 6, 5}}, {1, 0, 2, 1}}, [](const Given& g) {
         at::Tensor out = at::zeros({1, 2, 6, 5}, at::kDouble);
         out.slice(2, 2, 5).slice(3, 1, 5).copy_(g.inputs[0]);
         return std::vector{out};
       }});
  for (bool copied : {false, true}) {
    Given given{{drawn({2, 5, 3}), below(5, {2, 4})}, {{2, 4, 3}}, {copied}};
    cases.push_back({"take", copied ? "by copies" : "", std::move(given), [](const Given& g) {
                       at::Tensor out = at::empty({2, 4, 3}, at::kDouble);
                       for (int64_t b = 0; b < 2; ++b)
                         for (int64_t n = 0; n < 4; ++n)
                           out[b][n].copy_(g.inputs[0][b][g.inputs[1][b][n].item<int64_t>()]);
                       return std::vector{out};
                     }});
  }
  cases.push_back({"argsort", "", {{drawn({3, 5})}, {{3, 5}}}, [](const Given& g) {
                     at::Tensor places = at::zeros({3, 5}, at::kLong);
                     for (int64_t row = 0; row < 3; ++row)
                       for (int64_t i = 0; i < 5; ++i) {
                         at::Tensor before = g.inputs[0][row] < g.inputs[0][row][i];
                         places[row][before.sum().item<int64_t>()] = i;
                       }
                     return std::vector{places};
                   }});
  return cases;
}

}  // namespace dtp::test

// Empty places hold the first token: `combine` weighs them with 0.
#include <ATen/ops/index_select.h>

#include <algorithm>

#include "runtime/ops/common.h"
#include "runtime/ops/experts.h"

namespace dtp::runtime::ops {

void dispatch(Call& call) {
  at::Tensor tokens = call.take(0);
  at::Tensor choices = call.take(1);
  std::vector<int64_t> out = call.output_shape(0);
  int64_t k = choices.size(1);
  std::vector<int64_t> places = places_of(choices, out[0], out[1]);
  choices.reset();
  at::Tensor index = filled(out[0] * out[1], at::kLong, [&](int64_t i) {
    return std::max<int64_t>(places[static_cast<size_t>(i)], 0) / k;
  });
  at::Tensor rows = at::index_select(tokens, 0, index);
  call.give(0, rows.view(out));
}

}  // namespace dtp::runtime::ops

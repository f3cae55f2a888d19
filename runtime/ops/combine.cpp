#include <ATen/ops/index_select.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "runtime/ops/common.h"
#include "runtime/ops/experts.h"

namespace dtp::runtime::ops {

void combine(Call& call) {
  at::Tensor x = call.take(0);
  at::Tensor choices = call.take(1);
  at::Tensor weights = call.take(2);
  int64_t experts = x.size(0), each = x.size(1), k = choices.size(1);
  std::vector<int64_t> places = places_of(choices, experts, each);
  choices.reset();
  at::Tensor flat = weights.reshape(-1);
  weights.reset();
  at::Tensor place = filled(experts * each, at::kLong, [&](int64_t i) {
    return std::max<int64_t>(places[static_cast<size_t>(i)], 0);
  });
  at::Tensor chosen = at::index_select(flat, 0, place);
  flat.reset();
  place.reset();
  // Places that nobody fills weigh nothing.
  at::Tensor used = filled(experts * each, chosen.scalar_type(), [&](int64_t i) {
    return places[static_cast<size_t>(i)] == kEmpty ? 0 : 1;
  });
  chosen = at::mul(chosen, used);
  used.reset();
  at::Tensor column = chosen.view({experts, each, 1});
  chosen.reset();
  at::Tensor weighted = at::mul(x, column);
  x.reset();
  column.reset();
  at::Tensor token = filled(experts * each, at::kLong, [&](int64_t i) {
    return std::max<int64_t>(places[static_cast<size_t>(i)], 0) / k;
  });
  at::Tensor out = at::zeros(call.output_shape(0), weighted.options());
  out.index_add_(0, token, weighted.view({experts * each, -1}));
  call.give(0, std::move(out));
}

}  // namespace dtp::runtime::ops

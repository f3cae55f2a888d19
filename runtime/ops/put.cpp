// Written in place, where this iteration of the repeat belongs: the whole goes on as the same
// memory.
#include "runtime/ops/call.h"

namespace dtp::runtime::ops {

void put(Call& call) {
  at::Tensor whole = call.take(0);
  at::Tensor part = call.take(1);
  at::Tensor place = whole.slice(0, call.iteration(), call.iteration() + 1);
  place.copy_(part);
  place.reset();
  call.give(0, std::move(whole));
}

}  // namespace dtp::runtime::ops

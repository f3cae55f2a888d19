#include <ATen/ops/add.h>

#include "runtime/ops/arithmetic.h"

namespace dtp::runtime::ops {

void add(Call& call) {
  at::Tensor a = call.take(0);
  if (operands_of(call) != Operands::tensors) {
    call.give(0, at::add(a, number_of(call, a)));
    return;
  }
  at::Tensor b = call.take(1);
  call.give(0, at::add(a, b));
}

}  // namespace dtp::runtime::ops

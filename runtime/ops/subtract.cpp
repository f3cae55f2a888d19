#include <ATen/ops/rsub.h>
#include <ATen/ops/sub.h>

#include "runtime/ops/arithmetic.h"

namespace dtp::runtime::ops {

void subtract(Call& call) {
  at::Tensor a = call.take(0);
  switch (operands_of(call)) {
    case Operands::number_right: call.give(0, at::sub(a, number_of(call, a))); return;
    case Operands::number_left: call.give(0, at::rsub(a, number_of(call, a))); return;
    case Operands::tensors: break;
  }
  at::Tensor b = call.take(1);
  call.give(0, at::sub(a, b));
}

}  // namespace dtp::runtime::ops

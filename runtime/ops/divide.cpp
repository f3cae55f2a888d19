#include <ATen/ops/div.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/reciprocal.h>

#include "runtime/ops/arithmetic.h"

namespace dtp::runtime::ops {

void divide(Call& call) {
  at::Tensor a = call.take(0);
  switch (operands_of(call)) {
    case Operands::number_right: call.give(0, at::div(a, call.real(0))); return;
    case Operands::number_left: {  // a reciprocal, then a product
      at::Tensor reciprocal = at::reciprocal(a);
      call.give(0, at::mul(reciprocal, call.real(0)));
      return;
    }
    case Operands::tensors: break;
  }
  at::Tensor b = call.take(1);
  call.give(0, at::div(a, b));
}

}  // namespace dtp::runtime::ops

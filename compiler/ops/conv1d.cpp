#include <algorithm>
#include <array>

#include "ops/convolution.h"

namespace dtp::ops {
namespace {

constexpr auto kFormals = [] {
  std::array<Formal, std::size(kConvolutionFormals) + 1> formals;
  std::copy(std::begin(kConvolutionFormals), std::end(kConvolutionFormals), formals.begin());
  formals.back() = {"weight_norm", Accepts::flag, false, 0};
  return formals;
}();

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  const Shape& sequence = call.builder()[x].shape;
  if (sequence.rank() != 3 || sequence[1].batch || sequence[2].batch) {
    Failure failure = call.fail("`Conv1d` works on sequences [B, channels, length]",
                                "applied to " + to_string(sequence));
    call.explain(failure, x);
    return failure;
  }
  return apply_convolution(call, layer, x, table::conv1d_operation, call.flag(6));
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Conv1d` does"); }

}  // namespace

const LayerKind table::Conv1d_layer{
    "Conv1d",
    "Conv1d(out, kernel, stride = 1, padding = 0, groups = 1, bias = true, weight_norm = false)(x)",
    "a trained window that slides over sequences [B, channels, length]; its width is the channels "
    "of its first input; with `weight_norm` its weight is a direction times a length for each "
    "place "
    "of the window",
    kFormals, apply};
const Operation table::conv1d_operation{"conv1d", "conv1d(x)",     "made by Conv1d", kOneTensor,
                                        build,    run_convolution, convolution_cost, false};

}  // namespace dtp::ops

#include "ops/convolution.h"

namespace dtp::ops {
namespace {

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  const Shape& sequence = call.builder()[x].shape;
  if (sequence.rank() != 3 || sequence[1].batch || sequence[2].batch) {
    Failure failure = call.fail("`Conv1d` works on sequences [B, channels, length]",
                                "applied to " + to_string(sequence));
    call.explain(failure, x);
    return failure;
  }
  return apply_convolution(call, layer, x, table::conv1d_operation);
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Conv1d` does"); }

}  // namespace

const LayerKind table::Conv1d_layer{
    "Conv1d", "Conv1d(out, kernel, stride = 1, padding = 0, groups = 1, bias = true)(x)",
    "a trained window that slides over sequences [B, channels, length]; its width is the channels "
    "of its first input",
    kConvolutionFormals, apply};
const Operation table::conv1d_operation{"conv1d", "conv1d(x)",     "made by Conv1d", kOneTensor,
                                        build,    run_convolution, convolution_cost, false};

}  // namespace dtp::ops

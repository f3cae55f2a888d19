#include "ops/convolution.h"

namespace dtp::ops {
namespace {

Result apply(Call& call, LayerInstance& layer, TensorId x) {
  if (auto failure = check_image(call, x)) return *failure;
  return apply_convolution(call, layer, x, table::conv2d_operation);
}

Result build(Call& call) { return call.fail("only a layer makes this", "`Conv2d` does"); }

}  // namespace

const LayerKind table::Conv2d_layer{
    "Conv2d", "Conv2d(out, kernel, stride = 1, padding = 0, groups = 1, bias = true)(x)",
    "a trained window that slides over images; its width is the channels of its first input; "
    ""
    "kernel, stride and padding may be lists: [height, width]",
    kConvolutionFormals, apply};
const Operation table::conv2d_operation{"conv2d", "conv2d(x)",     "made by Conv2d", kOneTensor,
                                        build,    run_convolution, convolution_cost, false};

}  // namespace dtp::ops

// What convolutions over one and over two axes share.
#pragma once
#include "ops/layer.h"
#include "ops/spatial.h"

namespace dtp::ops {

// Conv1d over [B, channels, length], Conv2d over [B, channels, height, width]: their kernel, stride
// and padding are one number for all axes, or one for each.
inline constexpr Formal kConvolutionFormals[] = {{"out", Accepts::integer},
                                                 {"kernel", Accepts::integers},
                                                 {"stride", Accepts::integers, false, 1},
                                                 {"padding", Accepts::integers, false, 0},
                                                 {"groups", Accepts::integer, false, 1},
                                                 {"bias", Accepts::flag, false, 1}};

// `weight_norm`: the weight is a direction times a length for each place of the window
// (torch.nn.utils.weight_norm along the last axis).
Result apply_convolution(Call& call, LayerInstance& layer, TensorId x, const Operation& operation,
                         bool weight_norm = false);
void run_convolution(Tape& tape, const Graph& graph, const Node& node);
Cost convolution_cost(const Graph& graph, const Node& node);

}  // namespace dtp::ops

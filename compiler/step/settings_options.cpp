#include "step/settings_options.h"

#include <algorithm>

#include "step/engine_rules.h"

namespace dtp::step {

PassOptions pass_options(const plan::Settings& settings, bool gradients_exist) {
  PassOptions options;
  const plan::Precision& precision = settings.precision;
  options.mechanisms = mechanisms_of(settings.framework.backend);
  bool cpu = settings.framework.backend == "cpu";
  // The fused kernels exist on CUDA; they take 16-bit numbers (flash) or any (memory-efficient).
  bool sixteen = precision.compute == graph::DType::bf16 || precision.compute == graph::DType::fp16;
  if (!cpu && settings.attention == "flash")
    options.mechanisms.attention =
        sixteen ? ops::AttentionKernel::flash : ops::AttentionKernel::memory_efficient;
  if (!cpu && settings.attention == "memory_efficient")
    options.mechanisms.attention = ops::AttentionKernel::memory_efficient;
  auto keeps = [&](std::string_view operation) {
    return std::find(precision.keep_fp32.begin(), precision.keep_fp32.end(), operation) !=
           precision.keep_fp32.end();
  };
  if (!precision.keep_fp32.empty()) {
    options.mechanisms.autocast_fp32_softmax = keeps("softmax");
    options.mechanisms.autocast_fp32_norm = keeps("layer_norm");
  }
  options.parameters = precision.parameters;
  options.autocast = precision.autocast;
  options.compute = precision.autocast ? precision.compute : precision.parameters;
  options.cast_cache = precision.cast_cache;
  options.single_sample = settings.batch.micro == 1;
  options.recompute = settings.recompute == plan::Recompute::full;
  options.gradients_exist = gradients_exist;
  return options;
}

}  // namespace dtp::step

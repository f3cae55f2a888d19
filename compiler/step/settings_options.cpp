#include "step/settings_options.h"

#include <algorithm>

namespace dtp::step {

PassOptions pass_options(const plan::Settings& settings, bool gradients_exist) {
  PassOptions options;
  const plan::Precision& precision = settings.precision;
  options.mechanisms = settings.framework.mechanisms;
  bool cpu = settings.framework.backend == "cpu";
  // The fused kernels exist on CUDA; the settings name one that can run.
  if (!cpu && settings.attention == "flash")
    options.mechanisms.attention = ops::AttentionKernel::flash;
  if (!cpu && settings.attention == "memory_efficient")
    options.mechanisms.attention = ops::AttentionKernel::memory_efficient;
  if (precision.keep_fp32) {
    auto keeps = [&list = *precision.keep_fp32](std::string_view operation) {
      return std::find(list.begin(), list.end(), operation) != list.end();
    };
    ops::Mechanisms& m = options.mechanisms;
    m.autocast_fp32_softmax = keeps("softmax");
    m.autocast_fp32_norm = keeps("layer_norm");
    m.autocast_fp32_mse = keeps("mse");
    m.autocast_fp32_cross_entropy = keeps("cross_entropy");
    m.autocast_fp32_exp = keeps("exp");
    m.autocast_fp32_sum = keeps("sum");
    m.autocast_fp32_upsample = keeps("upsample");
  }
  options.parameters = precision.parameters;
  options.frozen = precision.frozen;
  options.autocast = precision.autocast;
  options.compute = precision.autocast ? precision.compute : precision.parameters;
  options.cast_cache = precision.cast_cache;
  options.single_sample = settings.batch.micro == 1;
  options.recompute = settings.recompute == plan::Recompute::full;
  options.gradients_exist = gradients_exist;
  return options;
}

}  // namespace dtp::step

#include "step/settings_options.h"

#include <algorithm>

#include "plan/wrap.h"

namespace dtp::step {

namespace {

GradientsGo gradients_go(const plan::Settings& settings) {
  const plan::Spread& spread = settings.parallel;
  if (spread.is_fsdp()) return GradientsGo::with_unit;
  if (settings.optimizer.in_backward) return GradientsGo::at_step;
  bool buffered = spread.kind == plan::Parallel::megatron || spread.spreads_gradients();
  return buffered ? GradientsGo::at_once : GradientsGo::never;
}

Gathering gathering(const plan::Settings& settings) {
  const plan::Spread& spread = settings.parallel;
  Gathering g;
  if (!spread.is_fsdp()) return g;
  g.wrap = spread.wrap;
  g.cut = cut_of(settings);
  g.replicas = spread.replicas;
  g.ahead = g.cut.by == CutBy::flat ? std::min(spread.prefetch, 1) : spread.prefetch;
  g.stays = !spread.reshard_after_forward;
  g.gathered = plan::gathered_type(settings.precision);
  g.reduced = settings.precision.reduce;
  g.casts = settings.precision.cast_parts;
  return g;
}

}  // namespace

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
  options.parameters = plan::gathered_type(precision);
  options.frozen = precision.frozen;
  options.autocast = precision.autocast;
  options.compute = precision.autocast ? precision.compute : options.parameters;
  // Autocast keeps casts of parameters, and what FSDP1 gathers are views of one (cached_cast of
  // aten/src/ATen/autocast_mode.cpp asks for a leaf that is no view).
  options.cast_cache = precision.cast_cache && settings.parallel.kind != plan::Parallel::fsdp;
  options.single_sample = settings.batch.micro == 1;
  options.recompute = settings.recompute == plan::Recompute::full;
  options.gradients_go = gradients_go(settings);
  options.gathering = gathering(settings);
  bool kept =
      options.gradients_go == GradientsGo::never || options.gradients_go == GradientsGo::at_step;
  options.gradients_exist = gradients_exist && kept;
  for (Int128 bytes : settings.optimizer.temporaries_each)
    options.steps.push_back(static_cast<int64_t>(bytes));
  return options;
}

}  // namespace dtp::step

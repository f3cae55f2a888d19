// What is alive at the peak of a phase, by layer: of a pass from its schedule, of the optimizer's
// step from the parameters that it goes over.
#include <algorithm>
#include <map>

#include "base/out.h"
#include "estimate/estimates.h"
#include "estimate/memory.h"
#include "estimate/peak_live.h"
#include "step/settings_options.h"
#include "step/spread_memory.h"
#include "step/static_memory.h"

namespace dtp::estimate {
namespace {

std::vector<LivePart> live_in_pass(Estimator& estimator, const plan::Settings& settings,
                                   Phase phase) {
  bool exist = settings.batch.accumulation > 1 || gradients_stay(settings);
  const step::Pass& pass = estimator.pass(step::pass_options(settings, exist));
  auto round = static_cast<int64_t>(settings.framework.allocator_round);
  int64_t batch = settings.batch.micro;
  step::SpreadBuffers buffers = step::spread_buffers(estimator.graph(), settings);
  Int128 gathered = phase == Phase::forward ? buffers.forward : buffers.backward;
  std::vector<Int128> live;
  if (phase == Phase::forward) {
    add_live_at_peak(pass, pass.forward, batch, round, live);
  } else {
    add_live_at_end(pass, pass.forward, batch, round, live);
    // A buffer that is there when the pass is over may make that the peak.
    Reach backward = walk(pass, pass.backward, batch, round);
    if (backward.live + buffers.end > backward.peak + buffers.backward) {
      add_live_at_end(pass, pass.backward, batch, round, live);
      gathered = buffers.end;
    } else {
      add_live_at_peak(pass, pass.backward, batch, round, live);
    }
  }
  std::vector<LivePart> parts;
  for (size_t i = 0; i < live.size(); ++i) {
    if (live[i] <= 0) continue;
    const step::Label& label = pass.labels[i / step::kCategories];
    parts.push_back({std::string(step::name_of(static_cast<step::Category>(i % step::kCategories))),
                     estimator.graph().path(label.path),
                     format("{}{}", label.operation, label.backward ? ", backward" : ""), live[i]});
  }
  if (gathered + buffers.always > 0)
    parts.push_back({"communication", "(parameters and gradients)",
                     std::string(plan::name_of(settings.parallel.kind)),
                     gathered + buffers.always});
  step::StaticMemory memory = step::static_memory(estimator.graph(), settings);
  Int128 beside = phase == Phase::backward ? gradients_beside_pass(settings, memory) : 0;
  if (exist || beside > 0)
    parts.push_back({"gradient", "(all parameters)", exist ? "earlier passes" : "this rank's share",
                     exist ? memory.gradients : beside});
  return parts;
}

// Gradients and states by the layer that owns the parameter: "blocks.{i}.attn.qkv".
std::vector<LivePart> live_in_step(Estimator& estimator, const plan::Settings& settings) {
  std::map<std::pair<std::string, std::string>, Int128> bytes;
  for (const step::ParameterMemory& m : step::parameter_memory(estimator.graph(), settings)) {
    const std::string& key = m.parameter->key;
    std::string layer = key.substr(0, key.rfind('.'));
    bytes[{"gradient", layer}] += m.gradients;
    for (const auto& [state, size] : m.states) bytes[{state, layer}] += size;
  }
  std::vector<LivePart> parts;
  parts.reserve(bytes.size() + 1);
  for (const auto& [what, size] : bytes)
    parts.push_back({what.first, what.second, settings.optimizer.name, size});
  step::SpreadBuffers buffers = step::spread_buffers(estimator.graph(), settings);
  if (buffers.step + buffers.always > 0)
    parts.push_back({"communication", "(parameters and gradients)",
                     std::string(plan::name_of(settings.parallel.kind)),
                     buffers.step + buffers.always});
  auto temporaries = static_cast<Int128>(estimator.memory(settings).temporaries.value.likely);
  if (temporaries > 0)
    parts.push_back({"temporary", "(all parameters)", settings.optimizer.name, temporaries});
  return parts;
}

}  // namespace

std::vector<LivePart> live_at_peak(Estimator& estimator, const plan::Settings& settings,
                                   Phase phase) {
  std::vector<LivePart> parts =
      is_pass(phase) ? live_in_pass(estimator, settings, phase) : live_in_step(estimator, settings);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return parts;
}

}  // namespace dtp::estimate

#include "engine/step_facts.h"

#include "base/int128.h"
#include "base/out.h"

namespace dtp::engine {
namespace {

std::string spread_text(const plan::Spread& s) {
  std::string text(plan::name_of(s.kind));
  if (s.kind == plan::Parallel::zero) text += format(" {}", s.stage);
  if (s.tensor > 1) text += format(", tensor {}{}", s.tensor, s.sequence ? " with sequence" : "");
  return text;
}

// MACs tell apart what parameters do not: the size of an image, the length of a sequence.
constexpr StepFact kFacts[] = {
    {"model.parameters", [](const Outcome& o) { return to_string(o.model.parameters); }},
    {"model.trainable", [](const Outcome& o) { return to_string(o.model.trainable); }},
    {"model.macs", [](const Outcome& o) { return format("{:.0f}", o.model.forward_macs); }},
    {"batch.micro", [](const Outcome& o) { return to_string(o.settings.batch.micro); }},
    {"batch.accumulation",
     [](const Outcome& o) { return to_string(o.settings.batch.accumulation); }},
    {"precision", [](const Outcome& o) { return o.settings.precision.name; }},
    {"optimizer", [](const Outcome& o) { return o.settings.optimizer.name; }},
    {"ema", [](const Outcome& o) { return std::string(o.settings.ema ? "yes" : "no"); }},
    {"attention", [](const Outcome& o) { return o.settings.attention; }},
    {"recompute",
     [](const Outcome& o) {
       return std::string(o.settings.recompute == plan::Recompute::full ? "full" : "none");
     }},
    {"hardware",
     [](const Outcome& o) {
       return format("{} x {}", o.settings.hardware.gpus(), o.settings.hardware.gpu.name);
     }},
    {"parallel", [](const Outcome& o) { return spread_text(o.settings.parallel); }},
    {"framework",
     [](const Outcome& o) {
       return format("{} {}", o.settings.framework.name, o.settings.framework.version);
     }},
};

}  // namespace

std::span<const StepFact> step_facts() { return kFacts; }

}  // namespace dtp::engine

// Estimates of a plan while something is supposed of what they rest on.
#include "engine/engine.h"
#include "plan/assumptions.h"

namespace dtp::engine {

void Engine::assumptions(eval::Record* plan, eval::Supposition& out) {
  auto found = plans_.find(plan);
  if (found == plans_.end() || !found->second.outcome) return;
  for (const plan::OpenSetting& open : plan::open_settings(found->second.outcome->settings))
    out.met({evaluator_.keep(open.name), evaluator_.keep(open.why), *open.value});
}

// The last one is kept: an expression reads several results of a plan.
const estimate::Estimates& Engine::supposed(eval::Record* plan, const Outcome& outcome) {
  SupposedEstimates& s = supposed_[plan];
  const eval::Supposition& now = *evaluator_.supposing();
  if (s.known && s.supposition.same(now)) return s.estimates;
  plan::Settings settings = outcome.settings;
  for (plan::OpenSetting& open : plan::open_settings(settings))
    *open.value = now.value(*open.value, open.why);
  s.known = true;
  s.supposition = now;
  s.estimates = outcome.built->estimator.estimate(settings);
  return s.estimates;
}

}  // namespace dtp::engine

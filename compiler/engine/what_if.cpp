// A plan with something changed: what does not rest on the change is taken over.
#include <algorithm>

#include "engine/engine.h"
#include "eval/guards.h"

namespace dtp::engine {

using eval::Record;

// Worked out once more on a copy of the plan in which nothing is known yet: the fields that are
// known afterwards are those that were read, by whatever way.
template <class Work>
Engine::FieldsRead Engine::fields_read(Record* plan, Work work) {
  static const lang::RecordBody kNothing;
  NullSink quiet;
  DiagnosticSink* before = evaluator_.swap_sink(&quiet);
  Record* copy = evaluator_.amend(plan, &kNothing, nullptr, true);
  {
    eval::Reads own(evaluator_, true);
    eval::OnItsOwn alone(evaluator_, plan->span);
    work(copy);
  }
  evaluator_.swap_sink(before);
  FieldsRead fields;
  for (const auto& [name, slot] : copy->slots) fields.insert(name);
  return fields;
}

const Engine::RestsOn& Engine::rests_on(Record* base, const Outcome& outcome) {
  auto [found, fresh] = rests_on_.try_emplace(base);
  if (!fresh) return found->second;
  RestsOn rests;
  rests.graph =
      fields_read(base, [&](Record* copy) { model::build_step_graph(evaluator_, natives_, copy); });
  rests.states = fields_read(base, [&](Record* copy) {
    plan::Settings settings = outcome.settings;
    const plan::Precision& precision = settings.precision;
    auto trained =
        trained_parameters(outcome.graph(), precision.master.value_or(precision.parameters));
    plan::Reader::Kept nothing;  // what is kept would not be read
    plan::Reader(evaluator_, copy, nothing).read_optimizer_states(trained, settings);
  });
  return rests_on_[base] = std::move(rests);
}

const Outcome* Engine::what_if(Record* changed, Record* base) {
  auto of_base = plans_.find(base);
  if (of_base == plans_.end() || !of_base->second.outcome) return at(changed);
  const Outcome* outcome = of_base->second.outcome.get();
  const RestsOn& rests = rests_on(base, *outcome);
  auto touches = [&](const FieldsRead& fields) {
    return std::any_of(changed->layers.begin() + static_cast<ptrdiff_t>(base->layers.size()),
                       changed->layers.end(), [&](const eval::Layer& layer) {
                         return llvm::any_of(layer.body->fields, [&](const lang::FieldDef& f) {
                           return fields.contains(f.name.value);
                         });
                       });
  };
  TakenOver taken;
  if (!touches(rests.graph)) taken.graph = outcome;
  // The states are those of the graph's parameters.
  if (taken.graph && !touches(rests.states)) taken.states = outcome;
  return at(changed, taken);
}

}  // namespace dtp::engine

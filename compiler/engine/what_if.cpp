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

// What neither plan says beyond their common layers may rest on.
Engine::TakenOver Engine::taken_over(const Record* changed, Record* base, const Outcome& outcome) {
  const RestsOn& rests = rests_on(base, outcome);
  auto same = [](const eval::Layer& a, const eval::Layer& b) {
    return a.body == b.body && a.env == b.env && a.base == b.base;
  };
  auto apart = std::mismatch(changed->layers.begin(), changed->layers.end(), base->layers.begin(),
                             base->layers.end(), same);
  auto touches = [&](const FieldsRead& fields) {
    auto says = [&](const eval::Layer& layer) {
      return llvm::any_of(layer.body->fields,
                          [&](const lang::FieldDef& f) { return fields.contains(f.name.value); });
    };
    return std::any_of(apart.first, changed->layers.end(), says) ||
           std::any_of(apart.second, base->layers.end(), says);
  };
  TakenOver taken;
  if (!touches(rests.graph)) taken.graph = &outcome;
  // The states are those of the graph's parameters.
  if (taken.graph && !touches(rests.states)) taken.states = &outcome;
  return taken;
}

const Outcome* Engine::what_if(Record* changed, Record* base) {
  auto of_base = plans_.find(base);
  if (of_base == plans_.end() || !of_base->second.outcome) return at(changed);
  return at(changed, taken_over(changed, base, *of_base->second.outcome));
}

// A hundred plans that amend one recipe, or the runs of a sweep: most have the graph of the first.
// To find out what that rests on costs as much as one more plan, so it is asked for the third.
Engine::TakenOver Engine::of_sibling(Record* plan) {
  if (plan->layers.size() < 2 || !plan->presets.empty()) return {};
  Siblings& siblings = siblings_[{plan->layers.front().body, plan->layers.front().env}];
  auto first = plans_.find(siblings.first);
  bool serves = first != plans_.end() && first->second.outcome && !first->second.reads &&
                first->second.silent && first->first->presets.empty();
  if (!serves) {
    siblings = {plan, 0};
    return {};
  }
  if (++siblings.others < 2) return {};
  return taken_over(plan, siblings.first, *first->second.outcome);
}

}  // namespace dtp::engine

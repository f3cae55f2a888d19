// A plan with choices left is worked out with the first of each. Those of another kind (another
// case, a record instead of none) have other fields: each kind is looked at once, so that what
// reads a choice is checked for all of them.
#include <algorithm>

#include "base/out.h"
#include "eval/guards.h"
#include "pipeline/session_state.h"

namespace dtp::pipeline {
namespace {

// Of one plan: a plan that is worked out again costs as much as a plan.
constexpr size_t kMostKinds = 32;

// Whether what reads the two finds the same fields.
bool same_kind(const eval::Value& a, const eval::Value& b) {
  if (a.kind != b.kind) return false;
  if (!a.is(eval::ValueKind::record)) return true;
  return a.record->shape && a.record->shape == b.record->shape;
}

// The first choice of each kind, after that of the very first.
std::vector<size_t> other_kinds(const eval::Hole& hole) {
  std::vector<size_t> firsts{0};
  for (size_t i = 1; i < hole.choices.size() && firsts.size() <= kMostKinds; ++i) {
    auto known = [&](size_t k) { return same_kind(hole.choices[k], hole.choices[i]); };
    if (std::none_of(firsts.begin(), firsts.end(), known)) firsts.push_back(i);
  }
  firsts.erase(firsts.begin());
  return firsts;
}

bool told_already(const std::vector<Diagnostic>& all, const Diagnostic& d) {
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& other) {
    return other.kind == d.kind && other.span() == d.span();
  });
}

}  // namespace

// Mistakes of names and types with one other choice.
std::vector<Diagnostic> Session::State::mistakes_with(eval::Record* plan) {
  CollectingSink told;
  DiagnosticSink* before = evaluator.swap_sink(&told);
  {
    eval::Reads apart(evaluator, true);
    bool estimated = engine.at(plan) != nullptr;
    for (Diagnostic& d : engine.take_findings(plan)) told.add(std::move(d));
    if (!estimated) engine.check_only(plan);
    judge::Judge judge(evaluator, sources, options.strict);
    evaluator.visit(evaluator.make_record(plan));
    judge.check_demands(plan);
    engine.check_only(nullptr);
  }
  evaluator.swap_sink(before);
  std::vector<Diagnostic> kept;
  for (Diagnostic& d : told.diagnostics())
    if (eval::stands_for_every_choice(d.kind)) kept.push_back(std::move(d));
  return kept;
}

void Session::State::check_other_choices(eval::Record* plan, const eval::HoleSet& open,
                                         CollectingSink& found) {
  size_t tried = 0;
  for (const eval::Hole* hole : open.holes()) {
    if (hole->plan != plan) continue;
    for (size_t i : other_kinds(*hole)) {
      eval::Record* other = tried++ < kMostKinds
                                ? evaluator.choosing(plan, {{hole->choose, hole->choices[i]}})
                                : nullptr;
      if (!other) return;
      for (Diagnostic& d : mistakes_with(other)) {
        if (told_already(found.diagnostics(), d)) continue;
        d.notes.push_back({format("met with `{}`", evaluator.words_of_choice(*hole, i)), {}});
        found.add(std::move(d));
      }
    }
  }
}

}  // namespace dtp::pipeline

#include "suggest/trial.h"

#include <algorithm>

#include "base/out.h"
#include "eval/guards.h"

namespace dtp::suggest {

std::string words(llvm::ArrayRef<plan::Setting> change) {
  std::string text;
  for (size_t i = 0; i < change.size(); ++i)
    text += format("{}`{} = {}`",
                   i == 0   ? ""
                   : i == 1 ? " with "
                            : " and ",
                   change[i].path, change[i].value);
  return text;
}

Trials::Changed Trials::make(const Change& change) {
  auto [found, fresh] = made_.try_emplace(words(change));
  if (!fresh) return found->second;
  eval::Env* env = s_.ev.module_env(&s_.module);
  eval::Record* changed = s_.plan;
  for (const plan::Setting& setting : change) {
    const lang::RecordBody* body = read_(setting);
    if (!body) return found->second;
    changed = s_.ev.amend(changed, body, env, true);
  }
  const engine::Outcome* outcome = engine_.what_if(changed, s_.plan);
  return found->second = {changed, outcome};
}

std::vector<judge::Demand> Trials::again(const judge::Demand& demand, eval::Record* changed) {
  std::vector<judge::Demand> all;
  if (demand.rule)
    rules_.demands(*demand.rule, s_.ev.make_record(changed), all);
  else
    all = judge_.demands(changed);
  std::erase_if(all, [&](const judge::Demand& d) { return d.requirement != demand.requirement; });
  return all;
}

std::optional<Tried> Trials::judge_changed(eval::Record* changed, const engine::Outcome* outcome,
                                           const judge::Demand& demand) {
  std::optional<Tried> tried;
  for (const judge::Demand& d : again(demand, changed)) {
    judge::VerdictRow row = judge_.judge_one(d);
    if (row.failed) return std::nullopt;
    // Of a requirement in a loop the worst counts.
    if (tried && row.verdict == Verdict::proved) continue;
    tried.emplace();
    tried->verdict = row.verdict;
    tried->left = row.left_likely;
    tried->value = row.left;
    tried->changed = changed;
    tried->outcome = outcome;
  }
  return tried;
}

std::optional<Tried> Trials::attempt(const Change& change, const judge::Demand& demand) {
  NullSink quiet;
  DiagnosticSink* before = s_.ev.swap_sink(&quiet);
  std::optional<Tried> tried;
  if (auto [changed, outcome] = make(change); outcome)
    tried = judge_changed(changed, outcome, demand);
  s_.ev.swap_sink(before);
  if (tried) tried->change = change;
  return tried;
}

bool Trials::is_told(const Diagnostic& d) const {
  return std::any_of(known_.told.begin(), known_.told.end(), [&](const Diagnostic& t) {
    return t.kind == d.kind && t.headline == d.headline;
  });
}

bool Trials::is_harmless(const Tried& tried) {
  CollectingSink found;
  for (Diagnostic& d : engine_.take_findings(tried.changed)) found.add(std::move(d));
  DiagnosticSink* before = s_.ev.swap_sink(&found);
  std::vector<eval::Held> held = s_.ev.visit(s_.ev.make_record(tried.changed));
  judge::Judgement after =
      judge_.judge(tried.changed, tried.outcome,
                   {rules_.on_plan(s_.module, tried.changed, held), known_.allowances});
  s_.ev.swap_sink(before);
  const auto& told = found.diagnostics();
  bool nothing_new = std::all_of(told.begin(), told.end(), [&](const Diagnostic& d) {
    return d.kind == Kind::UnusedAllowance || is_told(d);
  });
  if (after.failed || !nothing_new) return false;
  // No requirement or expectation stands worse than it did: open where it was proved, or refuted.
  const judge::Judgement& now = known_.judgement;
  return llvm::all_of(after.findings, [&](const judge::Finding& f) {
    return llvm::any_of(now.findings, [&](const judge::Finding& n) {
      return n.demand.requirement == f.demand.requirement &&
             (now.rows[n.row].verdict == Verdict::refuted ||
              after.rows[f.row].verdict == Verdict::undecided);
    });
  });
}

bool Trials::breaks_nothing(const Tried& tried) {
  auto [found, fresh] = harmless_.try_emplace(tried.changed, false);
  if (fresh) found->second = is_harmless(tried);
  return found->second;
}

}  // namespace dtp::suggest

// The check of one declared plan: each of its variants is estimated and judged, or told open.
#include <algorithm>
#include <set>
#include <tuple>

#include "base/out.h"
#include "eval/guards.h"
#include "pipeline/one_plan_needed.h"
#include "pipeline/overrides.h"
#include "pipeline/session_state.h"
#include "plan/open_plan.h"

namespace dtp::pipeline {
namespace {

// Of a plan that breaks more than it is shown to break, a way out is searched for the first.
constexpr size_t kMostSearched = 10;

// Of a field with a mistake in it, nothing more is told: that its setting is not estimated, or that
// it changes nothing. Where a setting is misspelled, what was judged is not the plan that is meant.
void leave_out_what_follows(std::vector<Diagnostic>& found) {
  bool misspelled = std::any_of(found.begin(), found.end(), [](const Diagnostic& d) {
    return d.kind == Kind::UnknownField && !d.help.empty();
  });
  auto follows = [&](const Diagnostic& d) {
    if (misspelled && (d.kind == Kind::RequirementRefuted || d.kind == Kind::RequirementUndecided))
      return true;
    bool setting = d.kind == Kind::UnsupportedSetting || d.kind == Kind::SettingWithoutEffect;
    return setting && std::any_of(found.begin(), found.end(), [&](const Diagnostic& other) {
             // Names, values and types; what a plan's parts say to each other is independent.
             bool earlier = other.kind < Kind::ShapeMismatch && other.kind != Kind::NotEvaluated;
             bool cause = other.severity == Severity::error &&
                          (earlier || other.kind == Kind::FrameworkLacks);
             return cause && (d.span().contains(other.span()) || other.span().contains(d.span()));
           });
  };
  std::vector<Diagnostic> kept;
  // One name that is missing, wherever it is used: an import that was forgotten.
  auto same_name = [&](const Diagnostic& d) {
    return std::find_if(kept.begin(), kept.end(), [&](const Diagnostic& other) {
      return d.kind == Kind::UnknownName && other.kind == d.kind && other.headline == d.headline &&
             other.span().file == d.span().file;
    });
  };
  for (Diagnostic& d : found) {
    if (follows(d)) continue;
    if (auto first = same_name(d); first != kept.end())
      first->labels.push_back({d.span(), ""});
    else
      kept.push_back(d);
  }
  found = std::move(kept);
}

}  // namespace

// A declared plan, which `each` may make several, or a series of others.
void Session::State::check_plan(lang::Module& module, lang::DeclEntry& entry) {
  CollectingSink found;
  evaluator.swap_sink(&found);
  eval::Reads own(evaluator, true);
  eval::Value value = evaluator.declared(&module, entry);
  evaluator.swap_sink(&sink);
  std::vector<Diagnostic> first = std::move(found.diagnostics());
  eval::Record* record = value.is(eval::ValueKind::record) ? value.record : nullptr;
  std::vector<plan::Variant> all{{"", record}};
  if (record && !eval::is_series(record)) {
    llvm::ArrayRef<plan::Variant> runs = engine.runs(record);
    for (Diagnostic& d : engine.take_findings(record)) first.push_back(std::move(d));
    all.assign(runs.begin(), runs.end());
    if (all.empty()) all.push_back({});
  }
  size_t first_run = plans.size();
  for (plan::Variant& variant : all) {
    check_variant(module, entry, variant, std::move(first));
    first.clear();
  }
  if (all.size() > 1) tell_together(first_run);
}

// What the runs of a sweep come to together, where each of them could be estimated.
void Session::State::tell_together(size_t first_run) {
  std::vector<engine::Run> runs;
  std::vector<const report::PlanReport*> told;
  for (size_t i = first_run; i < plans.size(); ++i) {
    if (!reports[i].outcome) return;
    runs.push_back({records[i], reports[i].outcome, &reports[i].outcome->estimates});
    told.push_back(&reports[i]);
  }
  plans.back().together = report::sweep_line(told, report::together(runs, true, units), units);
}

// Several plans one after another: their sums are judged, each of them where it is declared.
void Session::State::judge_series(eval::Record* series, report::PlanReport& report,
                                  PlanResult& result, CollectingSink& found) {
  auto runs = engine.members(series);
  judge::Judge judge(evaluator, sources, options.strict);
  evaluator.visit(evaluator.make_record(series));
  if (!runs) return;
  bool open = evaluator.reads() != nullptr;
  eval::Reads apart(evaluator, true);
  report.judgement = judge.judge(series, nullptr, {{}, allowances});
  allowances_used.insert(report.judgement.used.begin(), report.judgement.used.end());
  for (judge::Finding& finding : report.judgement.findings)
    found.add(std::move(finding.diagnostic));
  result.evaluated = !report.judgement.failed;
  result.open = open || report.judgement.undecided;
  report.series = report::together(*runs, false, units);
  for (const report::Together::Row& run : report.series->runs) result.series.push_back(run.name);
  if (open) {
    result.headline = format("{}, of which some leave something to be chosen",
                             counted(static_cast<Int128>(runs->size()), "run"));
    report.series->figures.clear();
  } else {
    result.headline = report::series_headline(*report.series, units);
    result.summary = report::series_summary(report, units);
  }
}

// Reads what it tries as -D does.
std::unique_ptr<suggest::Suggester> Session::State::suggester_of(lang::Module& module,
                                                                 eval::Record* plan,
                                                                 const engine::Outcome* outcome,
                                                                 judge::Judge& judge,
                                                                 const suggest::Known& known) {
  auto read = [this](const plan::Setting& setting) {
    return read_override(setting, loader, names, arena, evaluator.sink());
  };
  lang::DeclEntry* entry = module.entry(plan->name);
  const lang::Decl* declaration = entry ? module.declaration(*entry) : nullptr;
  return std::make_unique<suggest::Suggester>(
      engine, judge, rules, suggest::Situation{evaluator, sources, module, plan, outcome},
      declaration, known, read, arena);
}

void Session::State::estimate_and_judge(lang::Module& module, eval::Record* plan,
                                        const engine::Outcome* outcome, report::PlanReport& report,
                                        PlanResult& result, CollectingSink& found) {
  judge::Judge judge(evaluator, sources, options.strict);
  if (!outcome) engine.check_only(plan);
  // Every choice is found, those too that no estimate reads.
  std::vector<eval::Held> held = evaluator.visit(evaluator.make_record(plan));
  // Where something is wrong whatever is chosen, that comes first.
  bool open = evaluator.reads() && (outcome || !found.has_errors());
  if (open) return judge_open(module, plan, held, report, result, found);
  report.goal = judge::read_goal(evaluator, sources, plan);
  if (!outcome) {
    check_unestimated(module, plan, held, found);
    engine.check_only(nullptr);
    return;
  }
  if (report.goal) judge::check_goal_decides(evaluator, plan, *report.goal);
  report.outcome = outcome;
  report.judgement = judge.judge(plan, outcome, {rules.on_plan(module, plan, held), allowances});
  allowances_used.insert(report.judgement.used.begin(), report.judgement.used.end());
  std::vector<Diagnostic> told = found.diagnostics();
  auto suggester = suggester_of(module, plan, outcome, judge, {report.judgement, told, allowances});
  size_t searched = 0;
  for (judge::Finding& finding : report.judgement.findings) {
    const judge::VerdictRow& row = report.judgement.rows[finding.row];
    if (row.verdict == Verdict::refuted && searched++ < kMostSearched)
      suggester->help(row, finding);
    found.add(std::move(finding.diagnostic));
  }
  check_price(outcome->settings, found);
  result.evaluated = engine.read_launch(plan) && !report.judgement.failed;
  judge.judge_held(held);
  result.settings = &outcome->settings;
  result.open = report.judgement.undecided;
  result.headline = report::headline(report, units);
  result.summary = report::summary(report, units);
}

// A plan that leaves something to be chosen: what does not depend on it is judged, and the choices
// are told.
void Session::State::judge_open(lang::Module& module, eval::Record* plan,
                                llvm::ArrayRef<eval::Held> held, report::PlanReport& report,
                                PlanResult& result, CollectingSink& found) {
  const eval::HoleSet* open = evaluator.reads();
  report.choices = plan::open_plan(evaluator, plan, *open);
  for (const plan::OpenChoice& choice : report.choices->choices)
    result.choices.push_back(choice.plan.empty() ? choice.name : choice.plan + "." + choice.name);
  judge::Judge judge(evaluator, sources, options.strict);
  eval::Reads apart(evaluator, true);
  report.goal = judge::read_goal(evaluator, sources, plan);
  report.judgement = judge.judge(plan, nullptr, {rules.on_plan(module, plan, held), allowances});
  allowances_used.insert(report.judgement.used.begin(), report.judgement.used.end());
  for (judge::Finding& finding : report.judgement.findings)
    found.add(std::move(finding.diagnostic));
  judge.judge_held(held);
  engine.check_only(nullptr);
  if (!found.has_errors()) check_other_choices(plan, *open, found);
  result.open = true;
  if (found.has_errors()) return;
  if (options.strict)
    found.add(open_plan_refused(result.name, result.span, result.choices, "judged to the end"));
  result.headline = report::open_headline(*report.choices);
  result.summary = report::open_summary(report);
}

// `before`: what was told of the declaration already.
void Session::State::check_variant(lang::Module& module, lang::DeclEntry& entry,
                                   const plan::Variant& variant, std::vector<Diagnostic> before) {
  PlanResult result;
  result.name = std::string(names.text(entry.name));
  if (!variant.name.empty()) result.name += " (" + variant.name + ")";
  result.variant = !variant.name.empty();
  result.span = entry.name_span;
  report::PlanReport& report = reports.emplace_back();
  report.name = result.name;
  report.span = result.span;
  records.push_back(nullptr);
  size_t errors = sink.errors();
  CollectingSink found;
  for (Diagnostic& d : before) found.add(std::move(d));
  evaluator.swap_sink(&found);
  eval::Reads own(evaluator, true);
  eval::Value value = variant.plan ? evaluator.make_record(variant.plan) : eval::poison();
  if (value.is(eval::ValueKind::record)) {
    eval::Record* plan = value.record;
    records.back() = plan;
    engine.next_plan();
    if (eval::is_series(plan)) {
      judge_series(plan, report, result, found);
    } else {
      const engine::Outcome* outcome = engine.at(plan);
      for (Diagnostic& d : engine.take_findings(plan)) found.add(std::move(d));
      estimate_and_judge(module, plan, outcome, report, result, found);
    }
  }
  evaluator.swap_sink(&sink);
  leave_out_what_follows(found.diagnostics());
  std::set<std::tuple<Kind, uint32_t, uint32_t, uint32_t, std::string>> told;
  for (Diagnostic& d : found.diagnostics()) {
    if (options.strict && d.kind == Kind::NotKnown) d.severity = Severity::error;
    // One mistake that is met on two ways, such as in a model alone and in its objective.
    Span at = d.span();
    if (d.severity == Severity::error &&
        !told.insert({d.kind, at.file.value, at.begin, at.end, d.headline}).second)
      continue;
    if (d.kind == Kind::HoleLeft) report.asks = ++result.asks;
    // What goes wrong inside the library was set off by the plan: its author looks there first.
    if (loader.is_library(d.span().file))
      d.labels.insert(d.labels.begin(), {entry.name_span, format("in plan `{}`", result.name)});
    d.add_plans({{result.name, entry.name_span}});
    sink.add(std::move(d));
  }
  // What the author says is unknown is no mistake: the plan stays open.
  auto about = [&](const Diagnostic& d) { return d.kind == Kind::NotKnown; };
  bool told_unknown = std::any_of(found.diagnostics().begin(), found.diagnostics().end(), about);
  result.open = result.open || told_unknown;
  if (!result.evaluated && !told_unknown && !report.choices)
    unexplained.push_back({entry.name_span, format("plan `{}`", result.name)});
  // The verdict follows from what was told, so that the two cannot disagree.
  result.ok = result.evaluated && !module.has_errors && !found.has_errors() &&
              sink.errors() == errors && overrides.size() == options.settings.size();
  report.ok = result.ok;
  errors_of_plans += sink.errors() - errors;
  report.open = result.open;
  plans.push_back(std::move(result));
}

// What can be said of a plan without its estimates.
void Session::State::check_unestimated(lang::Module& module, eval::Record* plan,
                                       llvm::ArrayRef<eval::Held> held, CollectingSink& found) {
  judge::Judge judge(evaluator, sources, options.strict);
  judge.check_demands(plan);
  judge.judge_held(held);
  judge::Judgement of_rules =
      judge.judge_rules(plan, {rules.on_plan(module, plan, held), allowances});
  allowances_used.insert(of_rules.used.begin(), of_rules.used.end());
  std::vector<Diagnostic> told = found.diagnostics();
  auto suggester = suggester_of(module, plan, nullptr, judge, {of_rules, told, allowances});
  for (judge::Finding& finding : of_rules.findings) {
    suggester->help_as_written(finding);
    found.add(std::move(finding.diagnostic));
  }
}

}  // namespace dtp::pipeline

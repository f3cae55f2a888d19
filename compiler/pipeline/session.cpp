// The whole way in one screen: load, resolve, evaluate each plan, estimate, judge.
#include "pipeline/session.h"

#include <llvm/ADT/DenseSet.h>
#include <algorithm>

#include <deque>
#include <set>
#include <tuple>

#include "base/out.h"
#include "eval/guards.h"
#include "judge/judge.h"
#include "judge/rules.h"
#include "pipeline/open_plan.h"
#include "pipeline/overrides.h"
#include "pipeline/project.h"
#include "report/report.h"
#include "report/why.h"
#include "sema/loader.h"
#include "sema/name_check.h"
#include "sema/rings.h"
#include "suggest/suggest.h"
#include "syntax/print.h"

namespace dtp::pipeline {
namespace {

// Of a plan that breaks more than it is shown to break, a way out is searched for the first.
constexpr size_t kMostSearched = 10;

}  // namespace

struct Session::State {
  explicit State(Options o)
      : options(std::move(o)),
        evaluator(names, units, sink, arena),
        engine(evaluator),
        rules(evaluator),
        loader(sources, names, units, evaluator, arena,
               {syntax::embedded_library(), options.stdlib_dir}) {}

  Options options;
  SourceManager sources;
  CollectingSink sink;
  Interner names;
  units::UnitTable units;
  llvm::BumpPtrAllocator arena;
  eval::Evaluator evaluator;
  engine::Engine engine;
  judge::Rules rules;
  sema::Loader loader;
  bool prelude_loaded = false;
  std::vector<const lang::Allowance*> allowances;  // of the file that is checked and its project
  llvm::DenseSet<const lang::Allowance*> allowances_used;
  std::vector<const lang::RecordBody*> overrides;
  std::vector<std::pair<Span, std::string>> unexplained;  // what could not be evaluated
  size_t errors_of_plans = 0;  // of the errors of the file, those told while its plans were checked
  std::vector<lang::Module*> modules;
  llvm::DenseSet<const lang::Module*> projects_checked;
  std::vector<PlanResult> plans;
  std::deque<report::PlanReport> reports;  // parallel to plans
  std::vector<eval::Record*> records;      // parallel to plans; null where there is none

  void check_module(lang::Module& module);
  void check_project(lang::Module& project);
  void add_allowances(lang::Module& module);
  void check_plan(lang::Module& module, lang::DeclEntry& entry);
  void check_variant(lang::Module& module, lang::DeclEntry& entry, const plan::Variant& variant,
                     std::vector<Diagnostic> before);
  void check_unestimated(lang::Module& module, eval::Record* plan, llvm::ArrayRef<eval::Held> held,
                         CollectingSink& found);
  void estimate_and_judge(lang::Module& module, eval::Record* plan, const engine::Outcome* outcome,
                          report::PlanReport& report, PlanResult& result, CollectingSink& found);
  void judge_open(lang::Module& module, eval::Record* plan, llvm::ArrayRef<eval::Held> held,
                  report::PlanReport& report, PlanResult& result, CollectingSink& found);
  void check_together(lang::Module& module, size_t first_plan);
  void judge_series(eval::Record* series, report::PlanReport& report, PlanResult& result,
                    CollectingSink& found);
  void tell_together(size_t first_run);
  bool is_later_run(size_t i) const;
  void tell_of_others();
  // What could not be evaluated always has an error; where none was told, this is one.
  void say_why(Span at, const std::string& what);
};

Session::Session(Options options) : state_(std::make_unique<State>(std::move(options))) {}
Session::~Session() = default;
SourceManager& Session::sources() { return state_->sources; }
CollectingSink& Session::sink() { return state_->sink; }
const std::vector<PlanResult>& Session::plans() const { return state_->plans; }

void Session::check_text(std::string name, const std::string& path, std::string text) {
  State& s = *state_;
  if (!s.prelude_loaded) {
    s.prelude_loaded = true;
    s.evaluator.set_prelude(s.loader.load_prelude());
    s.overrides = read_overrides(s.options.settings, s.loader, s.names, s.arena, s.sink);
    s.evaluator.set_overrides(s.overrides);
  }
  size_t errors = s.sink.errors();
  lang::Module* module = s.loader.load_text(std::move(name), path, std::move(text));
  s.modules.push_back(module);
  if (module->is_project) return s.check_project(*module);
  size_t of_project = s.sink.errors();
  if (module->project) s.check_project(*module->project);
  errors += s.sink.errors() - of_project;
  size_t first_plan = s.plans.size();
  s.errors_of_plans = 0;
  s.check_module(*module);
  // What is wrong with a file is wrong with its plans.
  if (s.sink.errors() > errors + s.errors_of_plans)
    for (size_t i = first_plan; i < s.plans.size(); ++i) s.plans[i].ok = s.reports[i].ok = false;
}

// Once, however many files of the project are checked.
void Session::State::check_project(lang::Module& project) {
  if (!projects_checked.insert(&project).second) return;
  check_version(evaluator, project, options.version);
  check_module(project);
}

void Session::State::add_allowances(lang::Module& module) {
  for (lang::DeclEntry& entry : module.entries)
    if (entry.kind == lang::DeclKind::allowance)
      allowances.push_back(module.declaration(entry)->allowance);
}

void Session::State::check_module(lang::Module& module) {
  size_t first_plan = records.size();
  allowances.clear();
  add_allowances(module);
  // Those of a project are for all its files, of which a run sees some: none is told as unused.
  size_t own_allowances = module.is_project ? 0 : allowances.size();
  if (module.project) add_allowances(*module.project);
  allowances_used.clear();
  judge::Judge judge(evaluator, sources, options.strict);
  for (lang::DeclEntry& entry : module.entries) {
    evaluator.refill();
    switch (entry.kind) {
      case lang::DeclKind::plan: check_plan(module, entry); break;
      case lang::DeclKind::requirement: {
        const lang::Requirement& asked = *module.declaration(entry)->requirement;
        if (judge.judge_file(asked, evaluator.module_env(&module)).failed)
          unexplained.push_back({asked.span, "this requirement"});
        break;
      }
      case lang::DeclKind::allowance:
      case lang::DeclKind::rule: break;  // below, and with each plan
      case lang::DeclKind::let: {
        eval::Reads own(evaluator, true);
        // A let that nothing reads is looked at all the same: its mistakes are the author's.
        // It may lack what a plan made of it says.
        eval::Value v = evaluator.declared(&module, entry);
        eval::Unfinished unfinished(evaluator);
        std::vector<eval::Held> held = evaluator.visit(v);
        judge.judge_held(held);
        for (const eval::Held& h : held)
          if (h.record->shape && evaluator.text(h.record->shape->name) == "Measured")
            engine.check_measured(h.record);
        break;
      }
      default: evaluator.check_types(&module, entry); break;
    }
  }
  check_together(module, first_plan);
  tell_of_others();
  for (const auto& [at, what] : unexplained) say_why(at, what);
  unexplained.clear();
  for (size_t i = 0; i < own_allowances; ++i)
    if (!allowances_used.contains(allowances[i])) judge.report_unused(*allowances[i]);
  // What nothing has run yet.
  sema::NameCheck unrun(evaluator, module, sink.diagnostics());
  for (lang::DeclEntry& entry : module.entries) unrun.check(entry);
  sema::tell_rings(evaluator, module, sink.diagnostics());
}

// The runs of a sweep stand for one plan, whose costs are those of them all.
bool Session::State::is_later_run(size_t i) const {
  return plans[i].variant && i > 0 && plans[i - 1].variant && plans[i - 1].span == plans[i].span;
}

// What the rules in force ask of all plans of a file together.
void Session::State::check_together(lang::Module& module, size_t first_plan) {
  std::vector<eval::Record*> together;
  for (size_t i = first_plan; i < records.size(); ++i)
    if (records[i] && reports[i].outcome && !is_later_run(i)) together.push_back(records[i]);
  if (together.empty()) return;
  judge::Judge judge(evaluator, sources, options.strict);
  auto used = judge.judge_together({rules.on_plans(module, together), allowances});
  allowances_used.insert(used.begin(), used.end());
}

// What is wrong with plans of other files whose results were read.
void Session::State::tell_of_others() {
  size_t before = sink.errors();
  for (auto& [plan, found] : engine.untold())
    for (Diagnostic& d : found) {
      d.add_plans({{std::string(names.text(plan->name)), plan->span}});
      sink.add(std::move(d));
    }
  errors_of_plans += sink.errors() - before;
}

void Session::State::say_why(Span at, const std::string& what) {
  if (sink.has_errors()) return;
  sink.add(DiagnosticBuilder(Kind::PlanNotWhole, at,
                             what + " could not be evaluated, and nothing says why")
               .help("this is a fault of dtpc: please report it with the text that shows it"));
}

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
  for (size_t i = first_run; i < plans.size(); ++i) {
    if (!reports[i].outcome) return;
    runs.push_back({records[i], reports[i].outcome, &reports[i].outcome->estimates});
  }
  plans.back().together = report::spent_line(report::together(runs, true, units), units);
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
  suggest::Suggester suggester(evaluator, engine, judge, rules, arena);
  size_t searched = 0;
  for (judge::Finding& finding : report.judgement.findings) {
    const judge::VerdictRow& row = report.judgement.rows[finding.row];
    if (row.verdict == Verdict::refuted && searched++ < kMostSearched)
      suggester.help(plan, *outcome, row, finding);
    found.add(std::move(finding.diagnostic));
  }
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
  report.choices = plan::open_plan(evaluator, plan, *evaluator.reads());
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
  result.open = true;
  if (found.has_errors()) return;
  if (options.strict)
    found.add(open_plan_refused(result.name, result.span, result.choices, "judged to the end"));
  result.headline = report::open_headline(*report.choices);
  result.summary = report::open_summary(report);
}

// Of a field with a mistake in it, nothing more is told: that its setting is not estimated, or that
// it changes nothing.
static void leave_out_what_follows(std::vector<Diagnostic>& found) {
  auto inside = [](Span outer, Span inner) {
    return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
  };
  auto follows = [&](const Diagnostic& d) {
    bool setting = d.kind == Kind::UnsupportedSetting || d.kind == Kind::SettingWithoutEffect;
    return setting && std::any_of(found.begin(), found.end(), [&](const Diagnostic& other) {
             // Names, values and types; what a plan's parts say to each other is independent.
             bool cause = other.severity == Severity::error && other.kind < Kind::ShapeMismatch &&
                          other.kind != Kind::NotEvaluated;
             return cause && (inside(d.span(), other.span()) || inside(other.span(), d.span()));
           });
  };
  std::vector<Diagnostic> kept;
  for (Diagnostic& d : found)
    if (!follows(d)) kept.push_back(d);
  found = std::move(kept);
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
  suggest::Suggester suggester(evaluator, engine, judge, rules, arena);
  for (judge::Finding& finding : of_rules.findings) {
    suggester.help_unestimated(plan, finding);
    found.add(std::move(finding.diagnostic));
  }
}

bool Session::explain(const PlanResult& plan, std::string_view topic, llvm::raw_ostream& out) {
  State& s = *state_;
  for (size_t i = 0; i < s.plans.size(); ++i) {
    if (&s.plans[i] != &plan || !s.reports[i].outcome) continue;
    return report::explain(s.reports[i], topic, s.units, out);
  }
  return false;
}

bool Session::why(const PlanResult& plan, const std::string& path, llvm::raw_ostream& out) {
  State& s = *state_;
  auto index = static_cast<size_t>(&plan - s.plans.data());
  eval::Record* record = s.records[index];
  if (!record) return false;
  eval::Env* scope = record->layers.empty()
                         ? s.evaluator.shape_scope(record, record->shape)
                         : s.evaluator.layer_scope(record, record->layers.size() - 1);
  eval::Reads own(s.evaluator, true);
  const lang::Expr* asked = s.loader.load_expression("<asked>", path);
  return asked && report::why(s.evaluator, s.sources, plan.name, asked, scope, out);
}

void Session::dump(std::string_view product, llvm::raw_ostream& out) {
  State& s = *state_;
  if (product == "tree" || product == "program") {
    for (lang::Module* m : s.modules) {
      const syntax::Tree* tree = s.loader.tree(m);
      if (!tree) continue;
      if (product == "tree")
        syntax::print_tree(*tree, out);
      else
        report::print_program(*m, s.names, out);
    }
    return;
  }
  for (const report::PlanReport& r : s.reports) report::dump(r, product, s.units, out);
}

void Session::write_json(llvm::json::OStream& json) const {
  report::write_plans(state_->reports, state_->sources, state_->units, json);
}

}  // namespace dtp::pipeline

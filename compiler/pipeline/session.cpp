// The whole way in one screen: load, resolve, evaluate each plan, estimate, judge.
#include "pipeline/session.h"

#include <llvm/ADT/DenseSet.h>
#include <algorithm>

#include <deque>
#include <set>
#include <tuple>

#include "base/out.h"
#include "judge/judge.h"
#include "judge/rules.h"
#include "pipeline/overrides.h"
#include "plan/sweep.h"
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
  std::vector<const lang::Allowance*> allowances;  // of the file that is being checked
  llvm::DenseSet<const lang::Allowance*> allowances_used;
  std::vector<const lang::RecordBody*> overrides;
  size_t errors_of_plans = 0;  // of the errors of the file, those told while its plans were checked
  std::vector<lang::Module*> modules;
  std::vector<PlanResult> plans;
  std::deque<report::PlanReport> reports;  // parallel to plans
  std::vector<eval::Record*> records;      // parallel to plans; null where there is none

  void check_plan(lang::Module& module, lang::DeclEntry& entry);
  void check_variant(lang::Module& module, lang::DeclEntry& entry, const plan::Variant& variant,
                     std::vector<Diagnostic> before);
  void check_together(lang::Module& module, size_t first_plan);
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
  }
  size_t errors = s.sink.errors();
  s.errors_of_plans = 0;
  lang::Module* module = s.loader.load_text(std::move(name), path, std::move(text));
  s.modules.push_back(module);
  size_t first_plan = s.records.size();
  s.allowances.clear();
  for (lang::DeclEntry& entry : module->entries)
    if (entry.kind == lang::DeclKind::allowance)
      s.allowances.push_back(module->declaration(entry)->allowance);
  s.allowances_used.clear();
  judge::Judge judge(s.evaluator, s.sources, s.options.strict);
  for (lang::DeclEntry& entry : module->entries) {
    s.evaluator.refill();
    switch (entry.kind) {
      case lang::DeclKind::plan: s.check_plan(*module, entry); break;
      case lang::DeclKind::requirement:
        if (judge
                .judge_file(*module->declaration(entry)->requirement,
                            s.evaluator.module_env(module))
                .failed)
          s.say_why(module->declaration(entry)->span, "this requirement");
        break;
      case lang::DeclKind::allowance:
      case lang::DeclKind::rule: break;  // below, and with each plan
      case lang::DeclKind::let: {
        // A let that nothing reads is looked at all the same: its mistakes are the author's.
        // It may lack what a plan made of it says.
        eval::Value v = s.evaluator.declared(module, entry);
        eval::Unfinished unfinished(s.evaluator);
        judge.judge_held(s.evaluator.visit(v));
        break;
      }
      default: s.evaluator.check_types(module, entry); break;
    }
  }
  s.check_together(*module, first_plan);
  for (const lang::Allowance* a : s.allowances)
    if (!s.allowances_used.contains(a)) judge.report_unused(*a);
  // What nothing has run yet.
  sema::NameCheck names(s.evaluator, *module, s.sink.diagnostics());
  for (lang::DeclEntry& entry : module->entries) names.check(entry);
  sema::tell_rings(s.evaluator, *module, s.sink.diagnostics());
  // What is wrong with a file is wrong with its plans.
  if (s.sink.errors() > errors + s.errors_of_plans)
    for (size_t i = first_plan; i < s.plans.size(); ++i) s.plans[i].ok = s.reports[i].ok = false;
}

// What the rules in force ask of all plans of a file together.
void Session::State::check_together(lang::Module& module, size_t first_plan) {
  std::vector<eval::Record*> together;
  for (size_t i = first_plan; i < records.size(); ++i)
    if (records[i] && reports[i].outcome) together.push_back(records[i]);
  if (together.empty()) return;
  judge::Judge judge(evaluator, sources, options.strict);
  auto used = judge.judge_together({rules.on_plans(module, together), allowances});
  allowances_used.insert(used.begin(), used.end());
}

void Session::State::say_why(Span at, const std::string& what) {
  if (sink.has_errors()) return;
  sink.add(DiagnosticBuilder(Kind::PlanNotWhole, at,
                             what + " could not be evaluated, and nothing says why")
               .help("this is a fault of dtpc: please report it with the text that shows it"));
}

// A declared plan, which `each` may make several.
void Session::State::check_plan(lang::Module& module, lang::DeclEntry& entry) {
  CollectingSink found;
  evaluator.swap_sink(&found);
  eval::Value value = evaluator.declared(&module, entry);
  std::vector<plan::Variant> all;
  if (value.is(eval::ValueKind::record)) {
    eval::Record* record = value.record;
    for (const lang::RecordBody* body : overrides)
      record = evaluator.amend(record, body, evaluator.module_env(&module), true);
    plan::OverrideMaker make(names, arena);
    all = plan::variants(evaluator, sources, make, record);
  }
  evaluator.swap_sink(&sink);
  if (all.empty()) all.push_back({});
  std::vector<Diagnostic> first = std::move(found.diagnostics());
  for (plan::Variant& variant : all) {
    check_variant(module, entry, variant, std::move(first));
    first.clear();
  }
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
  if (result.variant) variant.plan->name = names.intern(result.name);
  result.span = entry.name_span;
  report::PlanReport& report = reports.emplace_back();
  report.name = result.name;
  report.span = result.span;
  records.push_back(nullptr);
  size_t errors = sink.errors();
  CollectingSink found;
  for (Diagnostic& d : before) found.add(std::move(d));
  evaluator.swap_sink(&found);
  eval::Value value = variant.plan ? evaluator.make_record(variant.plan) : eval::poison();
  if (value.is(eval::ValueKind::record)) {
    eval::Record* plan = value.record;
    records.back() = plan;
    if (const engine::Outcome* outcome = engine.at(plan)) {
      judge::Judge judge(evaluator, sources, options.strict);
      report.outcome = outcome;
      std::vector<eval::Record*> held = evaluator.visit(value);
      report.judgement =
          judge.judge(plan, *outcome, {rules.on_plan(module, plan, held), allowances});
      allowances_used.insert(report.judgement.used.begin(), report.judgement.used.end());
      suggest::Suggester suggester(evaluator, engine, judge, rules, arena);
      size_t searched = 0;
      for (judge::Finding& finding : report.judgement.findings) {
        const judge::VerdictRow& row = report.judgement.rows[finding.row];
        if (row.verdict == Verdict::refuted && searched++ < kMostSearched)
          suggester.help(plan, *outcome, row, finding);
        found.add(std::move(finding.diagnostic));
      }
      bool refused = std::any_of(plan->layers.begin(), plan->layers.end(),
                                 [](const eval::Layer& layer) { return layer.body->refused; });
      result.evaluated = engine.read_launch(plan) && !report.judgement.failed && !refused;
      judge.judge_held(held);
      result.settings = &outcome->settings;
      result.open = report.judgement.undecided;
      result.headline = report::headline(report, units);
      result.summary = report::summary(report, units);
    } else {
      engine.check_only(plan);
      judge::Judge judge(evaluator, sources, options.strict);
      judge.check_demands(plan);
      judge.judge_held(evaluator.visit(value));
      engine.check_only(nullptr);
    }
  }
  evaluator.swap_sink(&sink);
  leave_out_what_follows(found.diagnostics());
  std::set<std::tuple<Kind, uint32_t, uint32_t, uint32_t, std::string>> told;
  for (Diagnostic& d : found.diagnostics()) {
    // One mistake that is met on two ways, such as in a model alone and in its objective.
    Span at = d.span();
    if (d.severity == Severity::error &&
        !told.insert({d.kind, at.file.value, at.begin, at.end, d.headline}).second)
      continue;
    // What goes wrong inside the library was set off by the plan: its author looks there first.
    if (loader.is_library(d.span().file))
      d.labels.insert(d.labels.begin(), {entry.name_span, format("in plan `{}`", result.name)});
    d.add_plans({{result.name, entry.name_span}});
    sink.add(std::move(d));
  }
  if (!result.evaluated) say_why(entry.name_span, format("plan `{}`", result.name));
  // The verdict follows from what was told, so that the two cannot disagree.
  result.ok = result.evaluated && !module.has_errors && !found.has_errors() &&
              sink.errors() == errors && overrides.size() == options.settings.size();
  report.ok = result.ok;
  errors_of_plans += sink.errors() - errors;
  report.open = result.open;
  plans.push_back(std::move(result));
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
  if (!record || record->layers.empty()) return false;
  const lang::Expr* asked = s.loader.load_expression("<asked>", path);
  return asked && report::why(s.evaluator, s.sources, plan.name, asked,
                              s.evaluator.layer_scope(record, record->layers.size() - 1), out);
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

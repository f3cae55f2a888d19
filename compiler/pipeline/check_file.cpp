// The check of one file: its declarations, its plans, and what holds for all of them together.
#include "eval/guards.h"
#include "pipeline/project.h"
#include "pipeline/session_state.h"
#include "sema/name_check.h"
#include "sema/rings.h"

namespace dtp::pipeline {

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
          if (h.record->shape && h.record->shape->name == sym::Measured)
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
  check_defaults(module);
  // What nothing has run yet.
  sema::NameCheck unrun(evaluator, module, sink.diagnostics());
  for (lang::DeclEntry& entry : module.entries) unrun.check(entry);
  sema::tell_rings(evaluator, module, sink.diagnostics());
}

// Whether what is wrong in a declaration was told where something read it. A ring may be entered
// anywhere: one is told of a declaration.
static bool is_told(const Diagnostic& d, Span declaration, llvm::ArrayRef<Diagnostic> before) {
  return llvm::any_of(before, [&](const Diagnostic& other) {
    if (other.kind != d.kind) return false;
    if (other.headline == d.headline) return true;
    return llvm::any_of(other.labels, [&](const Label& l) {
      return l.span == d.span() ||
             (d.kind == Kind::EvaluationCycle && declaration.contains(l.span));
    });
  });
}

// Of the defaults that types, functions and models declare, what no plan has met already.
void Session::State::check_defaults(lang::Module& module) {
  for (lang::DeclEntry& entry : module.entries) {
    if (entry.kind != lang::DeclKind::type && entry.kind != lang::DeclKind::choice &&
        entry.kind != lang::DeclKind::function && entry.kind != lang::DeclKind::model)
      continue;
    CollectingSink found;
    evaluator.swap_sink(&found);
    evaluator.check_defaults(&module, entry);
    evaluator.swap_sink(&sink);
    const Span declaration = module.declaration(entry)->span;
    for (Diagnostic& d : found.diagnostics())
      if (!is_told(d, declaration, sink.diagnostics())) sink.add(std::move(d));
  }
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

}  // namespace dtp::pipeline

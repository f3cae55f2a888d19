// What one run of the tool holds, and the steps of a check.
#pragma once
#include <llvm/ADT/DenseSet.h>

#include <deque>

#include "judge/judge.h"
#include "judge/rules.h"
#include "pipeline/session.h"
#include "plan/sweep.h"
#include "report/report.h"
#include "sema/loader.h"
#include "suggest/suggest.h"

namespace dtp::pipeline {

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
  std::unique_ptr<suggest::Suggester> suggester_of(lang::Module& module, eval::Record* plan,
                                                   const engine::Outcome* outcome,
                                                   judge::Judge& judge,
                                                   const suggest::Known& known);
  void check_unestimated(lang::Module& module, eval::Record* plan, llvm::ArrayRef<eval::Held> held,
                         CollectingSink& found);
  void estimate_and_judge(lang::Module& module, eval::Record* plan, const engine::Outcome* outcome,
                          report::PlanReport& report, PlanResult& result, CollectingSink& found);
  void judge_open(lang::Module& module, eval::Record* plan, llvm::ArrayRef<eval::Held> held,
                  report::PlanReport& report, PlanResult& result, CollectingSink& found);
  void check_other_choices(eval::Record* plan, const eval::HoleSet& open, CollectingSink& found);
  std::vector<Diagnostic> mistakes_with(eval::Record* plan);
  void check_defaults(lang::Module& module);
  // A price that is older than a year on the day of `options.today`.
  void check_price(const plan::Settings& settings, CollectingSink& found);
  void check_together(lang::Module& module, size_t first_plan);
  void judge_series(eval::Record* series, report::PlanReport& report, PlanResult& result,
                    CollectingSink& found);
  void tell_together(size_t first_run);
  bool is_later_run(size_t i) const;
  void tell_of_others();
  // What could not be evaluated always has an error; where none was told, this is one.
  void say_why(Span at, const std::string& what);
};

}  // namespace dtp::pipeline

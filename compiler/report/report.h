// An Outcome for people (one line, tables) and for programs (JSON).
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "judge/goal.h"
#include "judge/judge.h"
#include "plan/open_plan.h"

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
}  // namespace llvm

namespace dtp::report {

// Plans that are told together: what they come to, in the order of estimate/fields.def.
struct Together {
  struct Row {
    std::string name, headline;
  };
  struct Figure {
    std::string_view group, name;
    estimate::Estimate value;
    units::Dimension dimension;
  };
  std::vector<Row> runs;
  std::vector<Figure> figures;
};

struct PlanReport {
  std::string name;
  Span span;
  const engine::Outcome* outcome = nullptr;  // null: the plan could not be estimated
  bool ok = false;                           // evaluated, and nothing was said against it
  bool open = false;  // some requirement is neither proved nor refuted, or something to be chosen
  judge::Judgement judgement;
  std::optional<judge::Goal> goal;
  // What is left to be chosen: such a plan has no figures of its own.
  std::optional<plan::OpenPlan> choices;
  size_t asks = 0;                 // `?` that are left in it
  std::optional<Together> series;  // of a series: it has no outcome of its own
};

// "65.2 GiB of 79.2 GiB, 0.61 s a step, 2.8 days, 2,100 USD"
std::string headline(const PlanReport& report, const units::UnitTable& units);

// The terms at the peak, largest first, as far as they are worth a word.
std::string peak_terms(const engine::Outcome& outcome, const units::UnitTable& units);

// A few lines: parameters, the peak with its terms, time, cost, verdicts.
std::string summary(const PlanReport& report, const units::UnitTable& units);

// "2 choices span 128 plans", and each choice in a line or two, the goal and the verdicts.
std::string open_headline(const plan::OpenPlan& plan);
std::string open_summary(const PlanReport& report);
// Of several runs: their figures; `at_once`: it is not known how many run at a time.
Together together(llvm::ArrayRef<engine::Run> runs, bool at_once, const units::UnitTable& units);
// "9 runs, of which 4 hold; the cheapest is p (batch.micro = 8): 251 USD": what `each` lists are
// alternatives. Of a series "3 runs, 20.1 GiB at the peak, 5.2 days, 1,230 EUR".
std::string sweep_line(llvm::ArrayRef<const PlanReport*> runs, const Together& together,
                       const units::UnitTable& units);
std::string series_headline(const Together& together, const units::UnitTable& units);
std::string series_summary(const PlanReport& report, const units::UnitTable& units);
// "  goal    minimize time.total, then cost.total" and "  proved  fits": lines that every summary
// may have.
std::string goal_line(const judge::Goal& goal);
std::string verdict_lines(const judge::Judgement& judgement);

// topic: "memory", "time" or "model". False for any other.
bool explain(const PlanReport& report, std::string_view topic, const units::UnitTable& units,
             llvm::raw_ostream& out);
void explain_memory(const PlanReport& report, const units::UnitTable& units,
                    llvm::raw_ostream& out);
void explain_time(const PlanReport& report, const units::UnitTable& units, llvm::raw_ostream& out);
void explain_model(const PlanReport& report, const units::UnitTable& units, llvm::raw_ostream& out);

// product: "settings", "graph", "step", "estimates" or "verdicts".
void dump(const PlanReport& report, std::string_view product, const units::UnitTable& units,
          llvm::raw_ostream& out);
void print_program(const lang::Module& module, const Interner& names, llvm::raw_ostream& out);

// The attribute "plans" of the JSON document.
void write_plans(const std::deque<PlanReport>& reports, const SourceManager& sources,
                 const units::UnitTable& units, llvm::json::OStream& json);

}  // namespace dtp::report

// An Outcome for people (one line, tables) and for programs (JSON).
#pragma once
#include <deque>
#include <string>
#include <string_view>

#include "judge/judge.h"

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
}  // namespace llvm

namespace dtp::report {

struct PlanReport {
  std::string name;
  Span span;
  const engine::Outcome* outcome = nullptr;  // null: the plan could not be estimated
  bool ok = false;                           // evaluated, and nothing was said against it
  bool open = false;                         // some requirement is neither proved nor refuted
  judge::Judgement judgement;
};

// "65.2 GiB of 79.2 GiB, 0.61 s a step, 2.8 days, 2,100 USD"
std::string headline(const PlanReport& report, const units::UnitTable& units);

// A few lines: parameters, the peak with its terms, time, cost, verdicts.
std::string summary(const PlanReport& report, const units::UnitTable& units);

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

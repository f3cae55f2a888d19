// require, expect and file-level requirements -> verdicts, and a diagnostic for each that is not
// proved.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/source_manager.h"
#include "engine/engine.h"
#include "judge/demand.h"
#include "judge/rules.h"

namespace dtp::judge {

struct VerdictRow {
  std::string label;  // "fits", or the condition as written
  bool expect = false;
  bool allowed = false;   // refuted or undecided, and allowed by the plan with a reason
  bool failed = false;    // could not be evaluated
  bool together = false;  // settled by what both sides of a comparison rest on
  bool unknown = false;   // undecided because something is not known at all
  bool open = false;      // undecided because it depends on what is left to be chosen
  Verdict verdict = Verdict::undecided;
  Span span;
  std::string left, right;            // the two sides of a comparison, printed
  std::optional<double> left_likely;  // where the left side is a number, in base units
  std::string reason;                 // of an allowance
};

// What is to be told of a demand that is not proved; others may add help before it is reported.
struct Finding {
  size_t row;
  Demand demand;
  Diagnostic diagnostic;
};

// What is asked of a plan, and allowed to it, outside of its own text.
struct Surroundings {
  std::vector<Demand> of_rules;
  llvm::ArrayRef<const lang::Allowance*> allowances;  // of its file
};

struct Judgement {
  std::vector<VerdictRow> rows;
  std::vector<Finding> findings;
  bool refuted = false;  // some requirement that is not allowed
  bool undecided = false;
  bool failed = false;
  std::vector<const lang::Allowance*> used;  // of those of the file
};

class Judge {
 public:
  Judge(eval::Evaluator& evaluator, const SourceManager& sources, bool strict)
      : ev_(evaluator), sources_(sources), strict_(strict) {}

  const SourceManager& sources() const { return sources_; }
  // All that the plan (or another record) demands, what its type says first, then undermost layer
  // first. A labelled one is replaced by its label, but none of the type, and no `require` by an
  // `expect`: only `allow` takes a requirement back, with a reason.
  std::vector<Demand> demands(eval::Record* record);
  // `outcome`: for the terms that a refusal names; null for a plan that leaves something to be
  // chosen. The findings are not reported yet.
  Judgement judge(eval::Record* plan, const engine::Outcome* outcome, const Surroundings& around);
  // What rules ask of all plans of a file together. Reports what does not hold; gives the file's
  // allowances that were needed.
  std::vector<const lang::Allowance*> judge_together(const Surroundings& around);
  // What the records that a plan or a let holds demand of themselves: the `require` of their types
  // and of their own bodies. Reports what does not hold.
  void judge_held(llvm::ArrayRef<eval::Held> held);
  // `demands`: those that it could have allowed, for a proposal.
  void report_unused(const lang::Allowance& allowance, const std::vector<Demand>& demands = {});
  // Of a plan that could not be estimated, what its demands say is checked all the same.
  void check_demands(eval::Record* plan);
  // So are the rules: what its settings alone break is a finding.
  Judgement judge_rules(eval::Record* plan, const Surroundings& around);
  VerdictRow judge_one(const Demand& demand);
  // A requirement at the top of a file: the test of a library.
  VerdictRow judge_file(const lang::Requirement& requirement, eval::Env* env);

 private:
  Diagnostic describe_rule(const VerdictRow& row, const Demand& demand, eval::Record* plan);
  Diagnostic describe(const VerdictRow& row, const Demand& demand, eval::Record* plan,
                      const engine::Outcome* outcome);
  DiagnosticBuilder describe_held(const VerdictRow& row, const Demand& demand,
                                  eval::Record* record);
  std::string headline(const VerdictRow& row, const Demand& demand, const std::string& text);
  void allow(eval::Record* record, const std::vector<Demand>& demands,
             std::vector<VerdictRow>& rows);
  bool apply(const lang::Allowance& allowance, const std::vector<Demand>& demands,
             std::vector<VerdictRow>& rows);
  bool allows(const lang::Allowance& allowance, const Demand& demand) const;
  bool as_strong(const Demand& own, const Demand& general);
  bool listed_by_plan(size_t of_type, const std::vector<Demand>& demands,
                      const std::vector<VerdictRow>& rows);
  bool told_by_plan(size_t of_type, const std::vector<Demand>& demands,
                    const std::vector<VerdictRow>& rows);
  DiagnosticBuilder at_fault(Kind kind, const VerdictRow& row, const Demand& demand,
                             eval::Record* plan, std::string headline);
  void help_price(const engine::Outcome& outcome, const Demand& demand, DiagnosticBuilder& builder);
  void note_memory(const engine::Outcome& outcome, eval::Record* plan, DiagnosticBuilder& builder);

  eval::Evaluator& ev_;
  const SourceManager& sources_;
  bool strict_;
};

}  // namespace dtp::judge

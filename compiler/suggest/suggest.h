// What to change so that a refuted requirement holds: each candidate is an override that was tried
// through the engine.
#pragma once
#include <map>

#include "judge/judge.h"
#include "plan/override.h"

namespace dtp::suggest {

class Suggester {
 public:
  Suggester(eval::Evaluator& evaluator, engine::Engine& engine, judge::Judge& judge,
            judge::Rules& rules, llvm::BumpPtrAllocator& arena)
      : ev_(evaluator),
        engine_(engine),
        judge_(judge),
        rules_(rules),
        make_(evaluator.names(), arena) {}

  // Adds the best edits to the finding's help, the fastest first; at most two.
  void help(eval::Record* plan, const engine::Outcome& outcome, const judge::VerdictRow& row,
            judge::Finding& finding);
  // The same of a plan that could not be estimated: what a rule proposes is tried on the rule.
  void help_unestimated(eval::Record* plan, judge::Finding& finding);

 private:
  // A change of a plan's fields, in words and as an amendment.
  struct Candidate {
    std::string text;  // "recompute = full"
    const lang::RecordBody* body;
    int64_t micro = 0;         // where that is all that changes
    bool gives_up = false;     // what the plan trains is another thing afterwards
    eval::Env* env = nullptr;  // where its values are worked out; null: in the plan
    bool pair() const { return body->fields.size() > 1; }
  };
  struct Tried {
    Candidate candidate;
    Verdict verdict;
    double step_time;
    double left;        // of a comparison, afterwards
    std::string value;  // of the left side, afterwards
    std::string step;
    estimate::Phase phase;  // of the peak, afterwards
    eval::Record* changed;
    const engine::Outcome* outcome;
    bool pair() const { return candidate.pair(); }
  };
  struct Changed {
    eval::Record* plan = nullptr;
    const engine::Outcome* outcome = nullptr;
  };
  Changed change(eval::Record* plan, const Candidate& candidate);
  std::vector<Candidate> candidates(eval::Record* plan, const engine::Outcome& outcome,
                                    std::string_view about);
  void for_memory(eval::Record* plan, const engine::Outcome& outcome, std::vector<Candidate>& list);
  void for_step(const plan::Settings& settings, std::vector<Candidate>& list);
  void for_time(const plan::Settings& settings, std::vector<Candidate>& list);
  static void say_no_batch_helps(const engine::Outcome& outcome, const std::vector<Tried>& tried,
                                 judge::Finding& finding);
  // The author's own: `suggest p.batch.micro = 16` of a rule or of a requirement.
  void help_as_written(eval::Record* plan, const engine::Outcome& outcome, judge::Finding& finding);
  std::optional<Candidate> written(const lang::Suggestion& suggestion, const judge::Demand& demand);
  std::vector<judge::Demand> again(const judge::Demand& demand, eval::Record* changed);
  std::string value_at(llvm::ArrayRef<Symbol> path, const lang::Expr* written, eval::Record* plan);
  std::optional<Tried> attempt(eval::Record* plan, const Candidate& candidate,
                               const judge::Demand& demand);
  static void keep_farthest(std::vector<Tried>& open, lang::Op op);
  Candidate micro_batch(eval::Record* plan, int64_t micro, int64_t global);
  // Whether the plan itself gives a size of its batch.
  bool says(eval::Record* plan, Symbol size);

  eval::Evaluator& ev_;
  engine::Engine& engine_;
  judge::Judge& judge_;
  judge::Rules& rules_;
  plan::OverrideMaker make_;
  std::map<std::pair<eval::Record*, std::string>, Changed> changed_;
};

}  // namespace dtp::suggest

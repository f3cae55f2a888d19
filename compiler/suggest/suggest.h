// What to change so that a refuted requirement holds. Each help that is given was tried: its effect
// was computed by the engine, and all else that the plan must hold was judged with it.
#pragma once
#include "suggest/search.h"

namespace dtp::suggest {

class Suggester {
 public:
  // `declaration`: of the plan, whose text the edits are of; null: no edit is made.
  Suggester(engine::Engine& engine, judge::Judge& judge, judge::Rules& rules, const Situation& s,
            const lang::Decl* declaration, const Known& known, ReadSetting read,
            llvm::BumpPtrAllocator& arena)
      : ev_(s.ev),
        engine_(engine),
        s_(s),
        declaration_(declaration),
        known_(known),
        read_(std::move(read)),
        trials_(judge, rules, engine, s_, known_, read_),
        make_(s.ev.names(), arena) {}
  Suggester(const Suggester&) = delete;
  Suggester& operator=(const Suggester&) = delete;

  // Adds the best changes to the finding's help, at most three; the first that changes no result of
  // the training is certain.
  void help(const judge::VerdictRow& row, judge::Finding& finding);
  // What the author of the requirement proposes, where it mends it; of a plan too that could not be
  // estimated.
  void help_as_written(judge::Finding& finding);

 private:
  // What the requirement is about; nothing: it speaks of no result that a search can bring down.
  std::optional<Aim> aim_of(const lang::Expr& condition) const;
  void search(Aim aim, const judge::VerdictRow& row, judge::Finding& finding);
  void tell(const std::vector<Tried>& list, const judge::VerdictRow& row, judge::Finding& finding);
  void say_no_batch_helps(const std::deque<Tried>& tried, judge::Finding& finding) const;
  void say_nearest(const Search& search, judge::Finding& finding) const;
  std::string asked(const judge::Finding& finding) const;
  Help as_help(std::string text, llvm::ArrayRef<plan::Setting> change, bool certain);

  eval::Evaluator& ev_;
  engine::Engine& engine_;
  Situation s_;
  const lang::Decl* declaration_;
  Known known_;
  ReadSetting read_;
  Trials trials_;
  plan::OverrideMaker make_;
};

}  // namespace dtp::suggest

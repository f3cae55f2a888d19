// A change is tried: the plan with it on top is estimated and judged.
#pragma once
#include <functional>
#include <map>
#include <optional>

#include "judge/judge.h"
#include "suggest/candidate.h"

namespace dtp::suggest {

// Reads `path = value` as -D does; null where it is no setting.
using ReadSetting = std::function<const lang::RecordBody*(const plan::Setting&)>;

// What is known of the plan as it is.
struct Known {
  const judge::Judgement& judgement;
  llvm::ArrayRef<Diagnostic> told;
  llvm::ArrayRef<const lang::Allowance*> allowances;  // of its file
};

// What a change came to.
struct Tried {
  Change change;
  Price price = Price::nothing;
  bool same_training = true;
  bool more_than_needed = false;  // of ordered values, a smaller change does as well
  Verdict verdict = Verdict::undecided;
  std::optional<double> left;  // of a comparison, in base units
  std::string value;           // the same, printed
  eval::Record* changed = nullptr;
  const engine::Outcome* outcome = nullptr;
  std::vector<const Row*> rows;
};

class Trials {
 public:
  Trials(judge::Judge& judge, judge::Rules& rules, engine::Engine& engine, const Situation& s,
         const Known& known, const ReadSetting& read)
      : judge_(judge), rules_(rules), engine_(engine), s_(s), known_(known), read_(read) {}

  // Nothing where the changed plan cannot be estimated, or the demand not be judged of it.
  std::optional<Tried> attempt(const Change& change, const judge::Demand& demand);
  // The same of a change that is made already.
  std::optional<Tried> judge_changed(eval::Record* changed, const engine::Outcome* outcome,
                                     const judge::Demand& demand);
  // Whether all else that the plan must hold is no worse, and nothing new is told of it.
  bool breaks_nothing(const Tried& tried);
  // The same demand of a plan that was changed.
  std::vector<judge::Demand> again(const judge::Demand& demand, eval::Record* changed);

 private:
  struct Changed {
    eval::Record* plan = nullptr;
    const engine::Outcome* outcome = nullptr;
  };
  Changed make(const Change& change);
  bool is_harmless(const Tried& tried);
  bool is_told(const Diagnostic& diagnostic) const;

  judge::Judge& judge_;
  judge::Rules& rules_;
  engine::Engine& engine_;
  const Situation& s_;
  const Known& known_;
  const ReadSetting& read_;
  // The same change is asked of many demands, and estimated once.
  std::map<std::string, Changed> made_;
  std::map<const eval::Record*, bool> harmless_;
};

// "`a = b` with `c = d` and `e = f`"
std::string words(llvm::ArrayRef<plan::Setting> change);

}  // namespace dtp::suggest

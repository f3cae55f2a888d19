// What the author of a rule or of a requirement proposes: `suggest p.batch.micro = 16`.
#pragma once
#include <optional>
#include <vector>

#include "suggest/trial.h"

namespace dtp::suggest {

class Written {
 public:
  Written(engine::Engine& engine, Trials& trials, const Situation& s, plan::OverrideMaker& make)
      : engine_(engine), trials_(trials), s_(s), make_(make) {}

  // Those that mend it, with their values worked out. `outcome` is null in them where the plan
  // could not be estimated.
  std::vector<Tried> that_mend(const judge::Demand& demand, bool estimated);

 private:
  std::optional<Tried> attempt(const lang::Suggestion& suggestion, const judge::Demand& demand,
                               bool estimated);
  std::string text_of(llvm::ArrayRef<Symbol> path, const lang::Expr& written, eval::Record* plan);

  engine::Engine& engine_;
  Trials& trials_;
  const Situation& s_;
  plan::OverrideMaker& make_;
};

}  // namespace dtp::suggest

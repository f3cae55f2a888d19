// The search for changes that make a requirement hold: one setting, then two, then other hardware.
#pragma once
#include <deque>
#include <vector>

#include "suggest/ranking.h"

namespace dtp::suggest {

class Search {
 public:
  Search(Trials& trials, const Situation& s, const judge::Demand& demand, Aim aim)
      : trials_(trials), s_(s), demand_(demand), aim_(aim) {}

  void run();
  // What makes it hold, breaks nothing else, and is of another kind than those before it: ranked,
  // three at most.
  const std::vector<Tried>& good() const { return good_; }
  // The same of what leaves it open; looked for only where nothing makes it hold.
  const std::vector<Tried>& open() const { return open_; }
  const std::deque<Tried>& tried() const { return all_; }

 private:
  struct Proposals {
    const Row* row;
    std::vector<Change> changes;
    const Tried* best = nullptr;  // among those tried alone
  };
  lang::Op op() const { return demand_.requirement->condition->op; }
  void singles(std::vector<Proposals>& all);
  void pairs(std::vector<Proposals>& all);
  void machines();
  void try_row(Proposals& of, const Proposals* with);
  const Tried* try_one(const Row& row, const Change& change, const Proposals* with);
  double predicted(const Tried& a, const Tried& b) const;
  std::vector<Tried> best(Verdict verdict);

  Trials& trials_;
  const Situation& s_;
  const judge::Demand& demand_;
  Aim aim_;
  std::deque<Tried> all_;  // stays where it is
  std::vector<Tried> good_, open_;
};

}  // namespace dtp::suggest

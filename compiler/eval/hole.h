// What a plan leaves to be chosen. Each `choose` that is written is one hole of the plan that it is
// evaluated in. Until somebody chooses, it stands for the first of its choices, and whatever reads
// it knows that it did: so what does not depend on a choice is checked and told, and of what does
// only those mistakes that no choice mends.
#pragma once
#include <map>
#include <vector>

#include "eval/record.h"

namespace dtp::eval {

class HoleSet;

struct Hole {
  unsigned number = 0;     // in the order of finding
  Record* plan = nullptr;  // null: outside of a plan
  const lang::Expr* choose = nullptr;
  std::vector<Symbol> path;           // of the field, or the name of the `let`
  bool of_let = false;                // a `let` of the plan itself
  bool whole = false;                 // the field or `let` is the choice, and nothing more
  const Type* type = nullptr;         // that its place asks for; null: any
  Values choices;                     // under the first choice of what they depend on
  const HoleSet* rests_on = nullptr;  // what the choices themselves depend on; null: nothing
};

// Holes that something read, in the order of finding. Equal sets are one object; none is null.
class HoleSet {
 public:
  explicit HoleSet(std::vector<const Hole*> holes) : holes_(std::move(holes)) {}
  const std::vector<const Hole*>& holes() const { return holes_; }

 private:
  std::vector<const Hole*> holes_;
};

// Keeps what was found, for all plans of a run.
class HoleTable {
 public:
  // Null where it is not known yet.
  Hole*& at(const Record* plan, const lang::Expr* choose) { return holes_[{plan, choose}]; }
  unsigned next_number() { return count_++; }
  const HoleSet* only(const Hole* hole) { return unique({hole}); }
  const HoleSet* join(const HoleSet* a, const HoleSet* b);

 private:
  const HoleSet* unique(std::vector<const Hole*>&& holes);

  std::map<std::pair<const Record*, const lang::Expr*>, Hole*> holes_;
  std::map<std::vector<unsigned>, HoleSet> sets_;
  unsigned count_ = 0;
};

}  // namespace dtp::eval

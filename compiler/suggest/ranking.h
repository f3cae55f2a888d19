// Which of the changes that help is told first.
#pragma once
#include <vector>

#include "suggest/trial.h"

namespace dtp::suggest {

// Best first. Settings come before what the run gives up, and that before other hardware; among
// them the product of time and money of a step decides, each against the plan as it is: what takes
// 10 % longer is as bad as what costs 10 % more. Where no price is known, the devices' time is the
// money.
void rank(std::vector<Tried>& tried, const engine::Outcome& now);

// Of what leaves a comparison open, those within 2 % of the one that is farthest from the limit.
void keep_farthest(std::vector<Tried>& open, lang::Op op);
// Whether `a` is farther on the good side of a comparison, or less far on the bad side.
bool is_better(const Tried& a, const Tried& b, lang::Op op);

}  // namespace dtp::suggest

// A requirement with the scope that it stands in.
#pragma once
#include "eval/record.h"

namespace dtp::judge {

struct Rule;

struct Demand {
  const lang::Requirement* requirement = nullptr;
  eval::Env* env = nullptr;
  bool of_type = false;        // what every plan must hold, as the type `Plan` says
  const Rule* rule = nullptr;  // the rule that asks it; null: the plan itself, or its type
  bool open = false;           // whether it is asked at all depends on what is left to be chosen
};

}  // namespace dtp::judge

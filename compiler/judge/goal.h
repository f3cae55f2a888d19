// What a plan is to make small or large where it leaves something to be chosen.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/source_manager.h"
#include "eval/evaluator.h"

namespace dtp::judge {

struct Goal {
  bool maximize = false;
  Span span;
  std::vector<std::string> aims;    // as written
  std::vector<std::string> values;  // of the plan as it is; empty where a choice decides them
};

// The goal that was set last. An aim that is no number is reported.
std::optional<Goal> read_goal(eval::Evaluator& evaluator, const SourceManager& sources,
                              eval::Record* plan);

// Warns of a goal of a plan in which nothing was ever left to be chosen.
void check_goal_decides(eval::Evaluator& evaluator, eval::Record* plan, const Goal& goal);

}  // namespace dtp::judge

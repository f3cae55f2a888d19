// A plan that leaves something to be chosen, as it is told: its holes, and how many plans they
// span.
#pragma once
#include <string>
#include <vector>

#include "eval/evaluator.h"

namespace dtp::plan {

// One `choose`, in words.
struct OpenChoice {
  std::string name;    // "batch.micro"; of a `let` its name
  bool whole = true;   // else it is a part of what stands there
  std::string plan;    // of another plan, whose choice this one reads; else empty
  std::string text;    // "choose 1..64", where it is short
  std::string type;    // "Int(1..)"
  size_t choices = 0;  // under the first choice of what they rest on
  std::vector<std::string> first;
  std::vector<std::string> rests_on;  // names of others that its choices depend on
  Span span;
};

struct OpenPlan {
  std::vector<OpenChoice> choices;  // in the order of the text
  Int128 plans = 1;
  bool exact = true;  // else `plans` is the number under the first choices
};

// `set`: all that was read while the plan was worked out.
OpenPlan open_plan(eval::Evaluator& evaluator, eval::Record* plan, const eval::HoleSet& set);

}  // namespace dtp::plan

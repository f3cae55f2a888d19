// What decides the numbers of a training and none of its costs: rates, moments, the schedule. Read
// where a trainer is emitted.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"
#include "eval/value.h"

namespace dtp::plan {

struct Training {
  std::string optimizer;  // the type whose step it is: "Adam", "Sgd"; empty: one of another type
  Span optimizer_span;
  double lr = 0, weight_decay = 0;
  double beta1 = 0, beta2 = 0, eps = 0;
  bool decoupled = false, amsgrad = false;
  double momentum = 0;
  bool nesterov = false;

  std::string schedule = "constant";  // a case of `Schedule`
  int64_t warmup = 0;                 // steps
  std::optional<int64_t> decay;       // steps; nothing: as long as the plan runs
  double floor = 0;                   // share of the rate at its end
  std::vector<int64_t> at;            // steps
  double factor = 1;

  std::optional<double> clip;  // norm
};

// An extent in optimizer steps; nothing after a report.
using StepsOf = std::function<std::optional<double>(const eval::Number& extent, Span at)>;

}  // namespace dtp::plan

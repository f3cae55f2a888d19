#include "runtime/train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dtp::runtime::train {

double rate_at(const Schedule& schedule, int64_t step, int64_t steps) {
  if (step < schedule.warmup)
    return static_cast<double>(step + 1) / static_cast<double>(schedule.warmup);
  int64_t end = schedule.decay > 0 ? schedule.decay : steps;
  double way = end > schedule.warmup ? static_cast<double>(step - schedule.warmup) /
                                           static_cast<double>(end - schedule.warmup)
                                     : 1;
  way = std::min(way, 1.0);
  switch (schedule.kind) {
    case ScheduleKind::linear: return 1 - (1 - schedule.floor) * way;
    case ScheduleKind::cosine:
      return schedule.floor + (1 - schedule.floor) * (1 + std::cos(std::numbers::pi * way)) / 2;
    case ScheduleKind::steps: {
      auto passed = std::ranges::count_if(schedule.at, [step](int64_t at) { return at <= step; });
      return std::pow(schedule.factor, static_cast<double>(passed));
    }
    case ScheduleKind::constant: break;
  }
  return 1;
}

}  // namespace dtp::runtime::train

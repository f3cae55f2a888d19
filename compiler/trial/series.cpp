#include "trial/series.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/int128.h"
#include "base/out.h"

namespace dtp::trial {
namespace {

constexpr int64_t kMostWarmUp = 10;

double quantile(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

}  // namespace

Interval time_interval(double p05, double median, double p95, double mean) {
  return {std::min({p05, median, mean}), median, std::max({p95, median, mean})};
}

void StepSeries::add(std::string_view path, double value, Span at) {
  auto found = all_.find(path);
  if (found == all_.end()) found = all_.emplace(std::string(path), One{{}, at}).first;
  found->second.values.emplace_back(steps_, value);
}

Figure StepSeries::figure_of(const std::string& path, const One& one, int64_t warm_up) {
  std::vector<double> later;
  double most = 0;
  for (auto [step, value] : one.values) {
    most = std::max(most, value);
    if (step >= warm_up) later.push_back(value);
  }
  if (later.empty()) return {};
  std::sort(later.begin(), later.end());
  double median = quantile(later, 0.5);
  auto count = static_cast<int64_t>(later.size());
  // Memory has no warm-up: what the first step takes must be there.
  if (path.starts_with("memory."))
    return {path, {median, most, most}, format("the most of {}", counted(count, "step")), one.at};
  double mean = std::accumulate(later.begin(), later.end(), 0.0) / static_cast<double>(count);
  return {path, time_interval(quantile(later, 0.05), median, quantile(later, 0.95), mean),
          format("5th percentile, median, 95th of {}", counted(count, "step")), one.at};
}

bool StepSeries::finish(const Source& source, Measurement& to) const {
  int64_t warm_up =
      source.options.warm_up.value_or(std::clamp<int64_t>(steps_ / 10, 1, kMostWarmUp));
  if (steps_ <= warm_up) {
    source.sink.add(source.broken(
        0, 0,
        format("\"{}\" has {}, and {} left out: nothing remains", source.name,
               counted(steps_, "step"), warm_up == 1 ? "the first is" : "the warm-up is")));
    return false;
  }
  to.steps = steps_ - warm_up;
  to.left_out = warm_up;
  const Figure* allocated = nullptr;
  std::optional<Figure> reserved;
  to.figures.reserve(all_.size());
  for (const auto& [path, one] : all_) {
    if (is_two_results(path, source.options)) {
      to.not_read.emplace_back(kTwoResults);
      continue;
    }
    Figure figure = figure_of(path, one, warm_up);
    if (figure.path.empty()) continue;
    if (path == kReserved) {
      reserved = figure;
      continue;
    }
    to.figures.push_back(std::move(figure));
    if (path == "memory.allocated") allocated = &to.figures.back();
  }
  if (!reserved) return true;
  if (!allocated) {
    to.not_read.emplace_back("what is reserved (nothing says what of it was allocated)");
    return true;
  }
  Interval beside = Interval::point(std::max(0.0, reserved->value.hi - allocated->value.hi));
  to.figures.push_back({"memory.fragmentation", beside, reserved->how, reserved->at});
  return true;
}

}  // namespace dtp::trial

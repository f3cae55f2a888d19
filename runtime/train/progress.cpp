#include "runtime/train/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace dtp::runtime::train {
namespace {

std::string time_of(double seconds) {
  char text[64];
  auto whole = static_cast<long long>(seconds + 0.5);
  if (whole >= 86'400)
    std::snprintf(text, sizeof text, "%lld d %lld h", whole / 86'400, whole / 3600 % 24);
  else if (whole >= 3600)
    std::snprintf(text, sizeof text, "%lld h %lld min", whole / 3600, whole / 60 % 60);
  else if (whole >= 60)
    std::snprintf(text, sizeof text, "%lld min %lld s", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%lld s", whole);
  return text;
}

std::string short_time(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, seconds < 1 ? "%.0f ms" : "%.2f s",
                seconds < 1 ? seconds * 1000 : seconds);
  return text;
}

std::string memory_of(int64_t bytes) {
  char text[64];
  double value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB"})
    if (value >= 1024) {
      value /= 1024;
      unit = larger;
    }
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

}  // namespace

Progress::Progress(int64_t steps, bool quiet)
    : steps_(steps), quiet_(quiet), terminal_(isatty(STDOUT_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_ && shown_) std::fputs("\n", stdout);
}

void Progress::show(const StepOutcome& outcome) {
  double took = outcome.record.step_seconds;
  usual_ = usual_ == 0 ? took : 0.9 * usual_ + 0.1 * took;
  if (quiet_) return;
  auto now = Clock::now();
  // Ten times a second is enough for an eye, twice a minute for a log.
  auto pause = std::chrono::milliseconds(terminal_ ? 100 : 30'000);
  bool edge = !shown_ || outcome.step == steps_;
  if (!edge && now - last_ < pause) return;
  last_ = now;
  shown_ = true;
  int64_t peak = *std::ranges::max_element(outcome.record.peak);
  std::string line = "step " + std::to_string(outcome.step) + "/" + std::to_string(steps_);
  char loss[64];
  std::snprintf(loss, sizeof loss, "  loss %.6g", outcome.loss);
  line += loss;
  line += "  " + short_time(usual_) + " a step  tensors " + memory_of(peak) + "  resident " +
          memory_of(outcome.record.resident);
  if (outcome.step < steps_)
    line += "  " + time_of(usual_ * static_cast<double>(steps_ - outcome.step)) + " left";
  std::printf(terminal_ ? "\r\033[K%s" : "%s\n", line.c_str());
  std::fflush(stdout);
}

}  // namespace dtp::runtime::train

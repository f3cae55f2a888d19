// Values of many steps by result, and what they come to.
#pragma once
#include <map>

#include "trial/readers.h"

namespace dtp::trial {

// What the allocator holds, handed out or not: no result of its own, but with `memory.allocated` it
// says what is fragmented.
inline constexpr std::string_view kReserved = "memory.reserved";

// The phases of a step as the trainer names them, and the results that they are.
inline constexpr std::pair<std::string_view, std::string_view> kSeconds[] = {
    {"step", "time.step"},
    {"forward", "time.forward"},
    {"backward", "time.backward"},
    {"optimizer", "time.optimizer"}};

class StepSeries {
 public:
  // A figure of the step at work, in base units; `at`: the first place that says it.
  void add(std::string_view path, double value, Span at);
  void end_step() { ++steps_; }
  int64_t steps() const { return steps_; }
  // Leaves out the warm-up and adds the figures of the rest; false after a report.
  bool finish(const Source& source, Measurement& to) const;

 private:
  struct One {
    std::vector<std::pair<int64_t, double>> values;  // by number of the step
    Span at;
  };
  static Figure figure_of(const std::string& path, const One& one, int64_t warm_up);
  std::map<std::string, One, std::less<>> all_;
  int64_t steps_ = 0;
};

// A measured backward pass that works activations out again is two results of a plan, and no file
// says where one ends: neither is taken.
inline bool is_two_results(std::string_view path, const ReadOptions& options) {
  return options.recomputes && path == "time.backward";
}
inline constexpr const char* kTwoResults =
    "the time of backward passes, in which activations are recomputed: two results of a plan";

// Several percent of steps are slow for reasons that return (a checkpoint, another program): the
// mean, which a total follows from, lies inside whatever the ends are.
Interval time_interval(double p05, double median, double p95, double mean);

}  // namespace dtp::trial

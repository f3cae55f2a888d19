// What one pass takes and gives back, in order, each event with the step of the graph at work and
// the function of LibTorch that asked.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/meter/labels.h"

namespace dtp::runtime::meter {

struct Traced {
  int64_t bytes = 0;  // negative: given back
  uint32_t label = 0;
  uint32_t function = 0;  // into Trace::functions()
  // Taken and given back inside one matrix product or convolution: what oneDNN works in.
  bool scratch = false;
};

class Trace {
 public:
  // `labels`: of the pass that is traced. One trace at a time.
  explicit Trace(const BackwardLabels& labels);
  ~Trace();
  Trace(const Trace&) = delete;

  void note(void* data, int64_t bytes);  // by the allocator, from any thread
  size_t size() const { return events_.size(); }
  const std::vector<Traced>& events() const { return events_; }
  const std::string& function(uint32_t id) const { return functions_[id]; }

 private:
  struct Call {
    uint32_t function;
    uint64_t number;
  };
  struct Open {
    size_t event;
    uint64_t call;
  };
  uint32_t name(const char* function);

  const BackwardLabels& labels_;
  std::mutex mutex_;
  std::vector<Traced> events_;
  std::vector<std::string> functions_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::unordered_map<void*, Open> open_;  // taken inside a call that may take scratch
  uint64_t calls_ = 0;
  uint64_t callback_ = 0;

  static thread_local std::vector<Call> at_work;
  friend struct Callbacks;
};

// The most that was alive above the start of events [begin, end), and what was alive at its end;
// `scratch`: whether oneDNN's own memory counts.
struct Height {
  int64_t peak = 0, end = 0;
};
Height height_of(const std::vector<Traced>& events, size_t begin, size_t end, bool scratch);

}  // namespace dtp::runtime::meter

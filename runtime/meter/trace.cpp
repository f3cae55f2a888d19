#include "runtime/meter/trace.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/meter/counting_allocator.h"

namespace dtp::runtime::meter {
namespace {

Trace* traced = nullptr;

// Functions that may hand their work to oneDNN.
bool may_take_scratch(std::string_view function) {
  constexpr std::array<std::string_view, 9> products = {"aten::mm",
                                                        "aten::addmm",
                                                        "aten::bmm",
                                                        "aten::baddbmm",
                                                        "aten::linear",
                                                        "aten::mkldnn_convolution",
                                                        "aten::convolution_backward",
                                                        "aten::_convolution",
                                                        "aten::mkldnn_linear"};
  return std::ranges::find(products, function) != products.end();
}

}  // namespace

thread_local std::vector<Trace::Call> Trace::at_work;

struct Callbacks {
  static std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& function) {
    if (!traced) return nullptr;
    // Between two backward steps the last one is said to be at work: its results move on.
    if (function.scope() == at::RecordScope::BACKWARD_FUNCTION)
      label_at_work =
          traced->labels_.of_sequence(static_cast<uint64_t>(function.seqNr()), label_at_work | 1);
    std::lock_guard lock(traced->mutex_);
    Trace::at_work.push_back({traced->name(function.name()), ++traced->calls_});
    return nullptr;
  }
  static void end(const at::RecordFunction&, at::ObserverContext*) {
    if (!Trace::at_work.empty()) Trace::at_work.pop_back();
  }
};

Trace::Trace(const BackwardLabels& labels) : labels_(labels) {
  name("");
  traced = this;
  callback_ = at::addGlobalCallback(
      at::RecordFunctionCallback(&Callbacks::begin, &Callbacks::end)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  record_into(this);
}

Trace::~Trace() {
  record_into(nullptr);
  at::removeCallback(callback_);
  at_work.clear();
  traced = nullptr;
}

uint32_t Trace::name(const char* function) {
  auto [place, fresh] = numbers_.try_emplace(function, static_cast<uint32_t>(functions_.size()));
  if (fresh) functions_.emplace_back(function);
  return place->second;
}

void Trace::note(void* data, int64_t bytes) {
  std::lock_guard lock(mutex_);
  Call call = at_work.empty() ? Call{0, 0} : at_work.back();
  events_.push_back({bytes, label_at_work, call.function, false});
  if (bytes > 0) {
    if (may_take_scratch(functions_[call.function]))
      open_[data] = {events_.size() - 1, call.number};
    return;
  }
  auto found = open_.find(data);
  if (found == open_.end()) return;
  if (found->second.call == call.number)
    events_.back().scratch = events_[found->second.event].scratch = true;
  open_.erase(found);
}

Height height_of(const std::vector<Traced>& events, size_t begin, size_t end, bool scratch) {
  Height height;
  for (size_t i = begin; i < end; ++i) {
    if (events[i].scratch && !scratch) continue;
    height.end += events[i].bytes;
    height.peak = std::max(height.peak, height.end);
  }
  return height;
}

}  // namespace dtp::runtime::meter

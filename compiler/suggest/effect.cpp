#include "suggest/effect.h"

#include "base/out.h"
#include "eval/arithmetic.h"

namespace dtp::suggest {
namespace {

class Effect {
 public:
  explicit Effect(eval::Evaluator& ev) : ev_(ev) {}

  void add(const std::string& what, const std::string& from, const std::string& to,
           const std::string& tail = {}) {
    if (from == to) return;
    text_ += format("{}{} {} -> {}{}", text_.empty() ? "" : ", ", what, from, to, tail);
  }
  void add(const std::string& what, const Interval& from, const Interval& to,
           const units::Dimension& dimension, bool ratio = false) {
    std::string tail;
    if (ratio && from.likely > 0) tail = format(" ({:.2f}x)", to.likely / from.likely);
    add(what, print(from.likely, dimension), print(to.likely, dimension), tail);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string print(double value, const units::Dimension& dimension) {
    return ev_.print(ev_.make_number(eval::real_number(value, dimension)));
  }

  eval::Evaluator& ev_;
  std::string text_;
};

}  // namespace

std::string effect(eval::Evaluator& ev, const engine::Outcome& now, const std::string& asked,
                   const std::string& asked_now, const Tried& tried) {
  const estimate::Estimates &before = now.estimates, &after = tried.outcome->estimates;
  Effect words(ev);
  if (!asked.empty()) words.add(asked, asked_now, tried.value);
  if (!asked.starts_with("memory.peak"))
    words.add("memory.peak", before.memory.peak.value, after.memory.peak.value,
              units::kMemoryDimension);
  words.add("gpu.memory", now.settings.hardware.gpu.memory.value,
            tried.outcome->settings.hardware.gpu.memory.value, units::kMemoryDimension);
  if (!asked.starts_with("time.step"))
    words.add("time.step", before.time.step.value, after.time.step.value, units::kTimeDimension,
              true);
  bool priced = before.cost.total.value.likely > 0 && after.cost.total.value.likely > 0 &&
                before.cost.currency == after.cost.currency && before.length_unknown.empty();
  if (!asked.starts_with("cost.total") && priced)
    words.add("cost.total", before.cost.total.value, after.cost.total.value,
              units::Dimension::base(before.cost.dimension));
  return words.take();
}

}  // namespace dtp::suggest

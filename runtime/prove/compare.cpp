#include "runtime/prove/compare.h"

#include <algorithm>
#include <cstdlib>

namespace dtp::runtime::prove {
namespace {

constexpr size_t kMostEvents = 50'000'000;

class Unfolder {
 public:
  explicit Unfolder(const TrainingConfig& config) : config_(config), p_(config.predicted) {}

  // False where it gets too long.
  bool add(uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i) {
      const Piece& piece = p_.pieces[i];
      if (piece.children == 0 && piece.begin == piece.end) continue;
      for (int64_t k = 0; k < piece.count; ++k) {
        if (piece.children > 0 && !add(piece.first_child, piece.children)) return false;
        if (piece.children == 0 && !events(piece.begin, piece.end)) return false;
        if (++rounds_ > kMostEvents) return false;
      }
    }
    return true;
  }
  std::vector<Happened> all;

 private:
  bool events(uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) {
      const Event& e = p_.events[i];
      int64_t bytes = e.bytes;
      for (int k = 0; k < e.power; ++k)
        if (__builtin_mul_overflow(bytes, config_.micro_batch, &bytes)) return false;
      if (bytes != 0) all.push_back({bytes, meter::spell(p_.labels[e.label])});
    }
    return all.size() <= kMostEvents;
  }

  const TrainingConfig& config_;
  const Predicted& p_;
  size_t rounds_ = 0;
};

// What is given back in a row, in whatever order: no peak depends on it.
void sort_returns(std::vector<Happened>& events) {
  for (size_t i = 0; i < events.size();) {
    size_t end = i;
    while (end < events.size() && events[end].bytes < 0) ++end;
    std::stable_sort(events.begin() + static_cast<ptrdiff_t>(i),
                     events.begin() + static_cast<ptrdiff_t>(end),
                     [](const Happened& a, const Happened& b) { return a.bytes < b.bytes; });
    i = std::max(end, i + 1);
  }
}

std::string spell(const Happened& event) {
  return (event.bytes > 0 ? "takes " : "gives back ") + std::to_string(std::abs(event.bytes)) +
         " B: " + event.by;
}
std::string spell(const std::vector<Happened>& events, size_t i) {
  return i < events.size() ? spell(events[i]) : "nothing more";
}

std::optional<Parting> parting_of(const char* part, std::vector<Happened> predicted,
                                  std::vector<Happened> measured, size_t around) {
  sort_returns(predicted);
  sort_returns(measured);
  size_t i = 0;
  while (i < predicted.size() && i < measured.size() && predicted[i].bytes == measured[i].bytes)
    ++i;
  if (i == predicted.size() && i == measured.size()) return std::nullopt;
  Parting parting{part, i, spell(predicted, i), spell(measured, i), {}};
  for (size_t k = i - std::min(i, around); around > 0 && k <= i + around; ++k)
    parting.around.push_back((k == i ? "> " : "  ") + std::to_string(k) + "  predicted " +
                             spell(predicted, k) + " | measured " + spell(measured, k));
  return parting;
}

}  // namespace

std::optional<std::vector<Happened>> unfolded(const TrainingConfig& config, Sequence sequence) {
  Unfolder unfolder(config);
  if (!unfolder.add(sequence.first, sequence.count)) return std::nullopt;
  return std::move(unfolder.all);
}

Comparison compare(const TrainingConfig& config, const Measured& measured, size_t around) {
  Comparison comparison;
  for (const NumberField& f : number_fields())
    if (measured.numbers.*f.measured != config.predicted.*f.predicted)
      comparison.off.push_back(f.name);
  const Predicted& p = config.predicted;
  if (p.forward.count == 0) return comparison;
  struct Part {
    const char* name;
    Sequence predicted;
    const std::vector<Happened>& measured;
  };
  for (const Part& part : {Part{"forward", p.forward, measured.forward},
                           Part{"backward", p.backward, measured.backward},
                           Part{"release", p.release, measured.release}}) {
    auto events = unfolded(config, part.predicted);
    if (!events) return comparison;
    comparison.events += events->size();
    comparison.parting = parting_of(part.name, std::move(*events), part.measured, around);
    if (comparison.parting) break;
  }
  comparison.unfolded = true;
  return comparison;
}

}  // namespace dtp::runtime::prove

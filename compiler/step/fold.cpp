// Folding: the events of each iteration of a repeat are cut out of the trace; where those in the
// middle are alike, one stands for all. Iterations begin where their first event is; in a backward
// pass the last comes first.
#include <algorithm>

#include "step/trace.h"

namespace dtp::step {
namespace {

class Folder {
 public:
  Folder(const Trace& trace, Pass& pass) : trace_(trace), pass_(pass) {}

  Sequence fold(uint32_t begin, uint32_t end, uint32_t inside) {
    std::vector<Piece> pieces;
    uint32_t at = begin;
    while (at < end) {
      uint32_t first = at;
      while (at < end && child(at, inside) == 0) ++at;
      if (at > first) pieces.push_back({1, first, at, 0, 0});
      if (at == end) break;
      uint32_t execution = trace_.nest[child(at, inside)].execution;
      uint32_t last = at;
      for (uint32_t i = at; i < end; ++i) {
        uint32_t c = child(i, inside);
        if (c != 0 && trace_.nest[c].execution == execution) last = i;
      }
      fold_execution(at, last + 1, inside, execution, pieces);
      at = last + 1;
    }
    return store(pieces);
  }
  bool alike() const { return alike_; }

 private:
  // The iteration just below `inside` that event i belongs to; 0 when it belongs to `inside` itself
  // or elsewhere.
  uint32_t child(uint32_t i, uint32_t inside) const {
    uint32_t iteration = trace_.iterations[i];
    while (iteration != 0 && trace_.nest[iteration].parent != inside)
      iteration = trace_.nest[iteration].parent;
    return iteration;
  }

  void fold_execution(uint32_t begin, uint32_t end, uint32_t inside, uint32_t execution,
                      std::vector<Piece>& pieces) {
    struct Segment {
      uint32_t begin, iteration;
    };
    std::vector<Segment> cuts;
    for (uint32_t i = begin; i < end; ++i) {
      uint32_t c = child(i, inside);
      if (c == 0 || trace_.nest[c].execution != execution) continue;
      auto seen = [c](const Segment& s) { return s.iteration == c; };
      if (std::none_of(cuts.rbegin(), cuts.rend(), seen)) cuts.push_back({i, c});
    }
    std::vector<Piece> parts;
    for (size_t i = 0; i < cuts.size(); ++i) {
      uint32_t stop = i + 1 < cuts.size() ? cuts[i + 1].begin : end;
      Sequence body = fold(cuts[i].begin, stop, cuts[i].iteration);
      parts.push_back({1, 0, 0, body.first, body.count});
    }
    const Execution& e = trace_.executions[execution];
    if (e.count > e.walked) repeat_middle(parts, e);
    pieces.insert(pieces.end(), parts.begin(), parts.end());
  }

  // Of n parts for `count` iterations, a run of equal ones in the middle becomes one with a count.
  void repeat_middle(std::vector<Piece>& parts, const Execution& execution) {
    size_t n = parts.size(), middle = n / 2, from = middle, to = middle + 1;
    if (n < 4) {
      alike_ = false;
      if (n == 0) return;
    }
    while (from > 1 && same(parts[from - 1], parts[middle])) --from;
    while (to + 1 < n && same(parts[to], parts[middle])) ++to;
    if (to - from < 2 || 2 * (to - from) < n) alike_ = false;
    Piece repeated = parts[middle];
    repeated.count = execution.count - static_cast<int64_t>(n - (to - from));
    parts.erase(parts.begin() + static_cast<ptrdiff_t>(from),
                parts.begin() + static_cast<ptrdiff_t>(to));
    parts.insert(parts.begin() + static_cast<ptrdiff_t>(from), repeated);
  }

  bool same(const Piece& a, const Piece& b) const {
    if (a.count != b.count || a.children != b.children) return false;
    if (a.children == 0)
      return std::equal(trace_.events.begin() + a.begin, trace_.events.begin() + a.end,
                        trace_.events.begin() + b.begin, trace_.events.begin() + b.end);
    for (uint32_t i = 0; i < a.children; ++i)
      if (!same(pass_.pieces[a.first_child + i], pass_.pieces[b.first_child + i])) return false;
    return true;
  }

  Sequence store(const std::vector<Piece>& pieces) {
    Sequence sequence{static_cast<uint32_t>(pass_.pieces.size()),
                      static_cast<uint32_t>(pieces.size())};
    pass_.pieces.insert(pass_.pieces.end(), pieces.begin(), pieces.end());
    return sequence;
  }

  const Trace& trace_;
  Pass& pass_;
  bool alike_ = true;
};

}  // namespace

bool fold(const Trace& trace, uint32_t begin, uint32_t end, Pass& pass, Sequence& sequence) {
  Folder folder(trace, pass);
  sequence = folder.fold(begin, end, 0);
  return folder.alike();
}

}  // namespace dtp::step

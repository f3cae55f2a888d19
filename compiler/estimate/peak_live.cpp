#include "estimate/peak_live.h"

namespace dtp::estimate {
namespace {

// No plan reaches it with true sizes: see memory_walk.cpp.
Int128 times(Int128 value, Int128 count) {
  auto product = checked_multiply(value, count);
  return product ? *product : (value > 0 ? Int128{1} << 100 : -(Int128{1} << 100));
}

void add(CategoryBytes& to, const CategoryBytes& what, int64_t factor = 1) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += factor == 1 ? what[i] : times(what[i], factor);
}

// `next` comes after `all`.
void append(PeakByCategory& all, const PeakByCategory& next) {
  if (all.live + next.peak > all.peak) {
    all.peak = all.live + next.peak;
    all.peak_by = all.live_by;
    add(all.peak_by, next.peak_by);
  }
  all.live += next.live;
  add(all.live_by, next.live_by);
}

// As walk_small, by category.
bool walk_small(const step::Event* event, const step::Event* end, int64_t batch, int64_t round,
                PeakByCategory& result) {
  constexpr int64_t most = int64_t{1} << 48;
  if (end - event > (1 << 15) || (round & (round - 1)) != 0) return false;
  const int64_t up = round - 1, mask = ~up;
  using Bytes = std::array<int64_t, step::kCategories>;
  Bytes by{}, peak_by{};
  int64_t live = 0, peak = 0;
  for (; event != end; ++event) {
    int64_t bytes = event->bytes;
    if (event->power > 1 || (event->power == 1 && __builtin_mul_overflow(bytes, batch, &bytes)) ||
        bytes > most)
      return false;
    bytes = (bytes + up) & mask;
    if (bytes < round && round > 1) bytes = round;
    if (!event->taken) bytes = -bytes;
    live += bytes;
    by[static_cast<size_t>(event->category)] += bytes;
    if (live > peak) {
      peak = live;
      peak_by = by;
    }
  }
  result.live = live;
  result.peak = peak;
  for (size_t i = 0; i < by.size(); ++i) {
    result.live_by[i] = by[i];
    result.peak_by[i] = peak_by[i];
  }
  return true;
}

class LabelWalk {
 public:
  LabelWalk(const step::Pass& pass, int64_t batch, int64_t round, std::vector<Int128>& live)
      : pass_(pass), batch_(batch), round_(round), live_(live) {
    live_.resize(pass.labels.size() * step::kCategories);
  }

  void at_end(step::Sequence sequence, Int128 factor) {
    for (uint32_t i = 0; i < sequence.count; ++i) whole(pass_.pieces[sequence.first + i], factor);
  }

  void at_peak(step::Sequence sequence) {
    uint32_t at = 0;
    bool found = false;
    Reach all;
    for (uint32_t i = 0; i < sequence.count; ++i) {
      Reach next = walk(pass_, {sequence.first + i, 1}, batch_, round_);
      if (all.live + next.peak > all.peak) {
        at = i;
        found = true;
        all.peak = all.live + next.peak;
      }
      all.live += next.live;
    }
    if (!found) return;
    at_end({sequence.first, at}, 1);
    piece_at_peak(pass_.pieces[sequence.first + at]);
  }

 private:
  void event(const step::Event& e, Int128 factor) {
    Int128 bytes = times(bytes_of(e, batch_, round_), factor);
    live_[e.label * step::kCategories + static_cast<size_t>(e.category)] +=
        e.taken ? bytes : -bytes;
  }
  void whole(const step::Piece& piece, Int128 factor) {
    if (piece.children > 0)
      at_end({piece.first_child, piece.children}, factor * piece.count);
    else
      for (uint32_t i = piece.begin; i < piece.end; ++i)
        event(pass_.events[i], factor * piece.count);
  }
  void piece_at_peak(const step::Piece& piece) {
    if (piece.count > 1) {
      step::Piece before = piece;
      before.count = piece.count - 1;
      if (live_change(piece) > 0) whole(before, 1);
    }
    if (piece.children > 0) {
      at_peak({piece.first_child, piece.children});
      return;
    }
    Int128 live = 0, peak = 0;
    uint32_t end = piece.begin;
    for (uint32_t i = piece.begin; i < piece.end; ++i) {
      const step::Event& e = pass_.events[i];
      Int128 bytes = bytes_of(e, batch_, round_);
      live += e.taken ? bytes : -bytes;
      if (live > peak) {
        peak = live;
        end = i + 1;
      }
    }
    for (uint32_t i = piece.begin; i < end; ++i) event(pass_.events[i], 1);
  }
  Int128 live_change(const step::Piece& piece) const {
    Int128 live = 0;
    if (piece.children > 0)
      return walk(pass_, {piece.first_child, piece.children}, batch_, round_).live;
    for (uint32_t i = piece.begin; i < piece.end; ++i) {
      Int128 bytes = bytes_of(pass_.events[i], batch_, round_);
      live += pass_.events[i].taken ? bytes : -bytes;
    }
    return live;
  }

  const step::Pass& pass_;
  int64_t batch_, round_;
  std::vector<Int128>& live_;
};

}  // namespace

PeakByCategory walk_by_category(const step::Pass& pass, step::Sequence sequence, int64_t batch,
                                int64_t round) {
  PeakByCategory all;
  for (uint32_t p = 0; p < sequence.count; ++p) {
    const step::Piece& piece = pass.pieces[sequence.first + p];
    PeakByCategory once;
    if (piece.children > 0) {
      once = walk_by_category(pass, {piece.first_child, piece.children}, batch, round);
    } else if (const step::Event* events = pass.events.data();
               !walk_small(events + piece.begin, events + piece.end, batch, round, once)) {
      for (uint32_t i = piece.begin; i < piece.end; ++i) {
        const step::Event& e = pass.events[i];
        Int128 bytes = bytes_of(e, batch, round);
        once.live += e.taken ? bytes : -bytes;
        once.live_by[static_cast<size_t>(e.category)] += e.taken ? bytes : -bytes;
        if (once.live > once.peak) {
          once.peak = once.live;
          once.peak_by = once.live_by;
        }
      }
    }
    if (piece.count > 1) {
      PeakByCategory before;  // all iterations but one
      before.live = times(once.live, piece.count - 1);
      add(before.live_by, once.live_by, piece.count - 1);
      if (once.live > 0) {
        append(all, before);
        append(all, once);
      } else {
        append(all, once);
        append(all, before);
      }
    } else {
      append(all, once);
    }
  }
  return all;
}

void add_live_at_peak(const step::Pass& pass, step::Sequence sequence, int64_t batch, int64_t round,
                      std::vector<Int128>& live) {
  LabelWalk(pass, batch, round, live).at_peak(sequence);
}

void add_live_at_end(const step::Pass& pass, step::Sequence sequence, int64_t batch, int64_t round,
                     std::vector<Int128>& live) {
  LabelWalk(pass, batch, round, live).at_end(sequence, 1);
}

}  // namespace dtp::estimate

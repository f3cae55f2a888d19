#include "estimate/memory_walk.h"

#include <algorithm>

namespace dtp::estimate {
namespace {

constexpr Int128 kSaturated = Int128{1} << 100;

// Events of ordinary size in 64 bits; false when one is not, or when `round` is no power of two.
bool walk_small(const step::Event* event, const step::Event* end, int64_t batch, int64_t round,
                Reach& reach) {
  constexpr int64_t most = int64_t{1} << 48;  // so that the sum of 2^15 of them fits
  if (end - event > (1 << 15) || (round & (round - 1)) != 0) return false;
  const int64_t up = round - 1, mask = ~up;
  int64_t live = 0, peak = 0;
  for (; event != end; ++event) {
    int64_t bytes = event->bytes;
    if (event->power > 1 || (event->power == 1 && __builtin_mul_overflow(bytes, batch, &bytes)) ||
        bytes > most)
      return false;
    bytes = (bytes + up) & mask;
    if (bytes < round && round > 1) bytes = round;
    live += event->taken ? bytes : -bytes;
    peak = std::max(peak, live);
  }
  reach = {live, peak};
  return true;
}

Reach walk_piece(const step::Pass& pass, const step::Piece& piece, int64_t batch, int64_t round) {
  Reach once;
  if (piece.children > 0) {
    once = walk(pass, {piece.first_child, piece.children}, batch, round);
  } else if (const step::Event* events = pass.events.data();
             !walk_small(events + piece.begin, events + piece.end, batch, round, once)) {
    Int128 live = 0, peak = 0;
    for (uint32_t i = piece.begin; i < piece.end; ++i) {
      Int128 bytes = bytes_of(pass.events[i], batch, round);
      live += pass.events[i].taken ? bytes : -bytes;
      peak = std::max(peak, live);
    }
    once = {live, peak};
  }
  if (piece.count == 1) return once;
  // |live| < 2^107 and a count < 2^63 may pass 2^127: such a sum saturates.
  auto before = checked_multiply(once.live, piece.count - 1);
  Int128 rise = before ? *before : (once.live > 0 ? kSaturated : -kSaturated);
  return {rise + once.live, std::max(once.peak, rise + once.peak)};
}

}  // namespace

Int128 bytes_of(const step::Event& event, int64_t batch, int64_t round) {
  Int128 bytes = event.bytes;
  if (event.power > 0) {
    bytes *= batch;
    for (int p = 1; p < event.power; ++p) {
      auto product = checked_multiply(bytes, batch);
      bytes = product ? *product : kSaturated;
    }
    bytes = std::min(bytes, kSaturated);
  }
  if (round > 1) bytes = std::max<Int128>((bytes + round - 1) / round, 1) * round;
  return bytes;
}

Reach walk(const step::Pass& pass, step::Sequence sequence, int64_t batch, int64_t round) {
  Reach all;
  for (uint32_t i = 0; i < sequence.count; ++i) {
    Reach next = walk_piece(pass, pass.pieces[sequence.first + i], batch, round);
    all.peak = std::max(all.peak, all.live + next.peak);
    all.live += next.live;
  }
  return all;
}

}  // namespace dtp::estimate

// A shuffled order without a list: place `i` of `n` in the order that `seed` gives. A Feistel
// network permutes the next power of four; what falls outside `n` goes through it again.
#pragma once
#include <cstdint>

#include "runtime/run/random.h"

namespace dtp::runtime::data {

inline uint64_t shuffled(uint64_t i, uint64_t n, uint64_t seed) {
  int half = 1;
  while (half < 32 && (uint64_t{1} << (2 * half)) < n) ++half;
  const uint64_t mask = (uint64_t{1} << half) - 1;
  do {
    uint64_t left = i >> half, right = i & mask;
    for (uint64_t round = 0; round < 4; ++round) {
      uint64_t next = left ^ (seed_for({seed, round, right}) & mask);
      left = right;
      right = next;
    }
    i = (left << half) | right;
  } while (i >= n);
  return i;
}

}  // namespace dtp::runtime::data

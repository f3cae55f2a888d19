// Random numbers that depend on nothing but what they are asked for: a seed for each purpose, mixed
// from the run's seed and the numbers that tell it apart.
#pragma once
#include <cstdint>
#include <initializer_list>

namespace dtp::runtime {

// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline uint64_t seed_for(std::initializer_list<uint64_t> parts) {
  uint64_t seed = 0;
  for (uint64_t part : parts) seed = mixed(seed ^ mixed(part));
  return seed;
}

}  // namespace dtp::runtime

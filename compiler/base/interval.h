// What is not known exactly: lo <= likely <= hi. A point has all three equal.
#pragma once
#include <algorithm>

namespace dtp {

struct Interval {
  double lo = 0;
  double likely = 0;
  double hi = 0;

  static Interval point(double v) { return {v, v, v}; }
  bool is_point() const { return lo == hi; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

enum class Verdict { proved, refuted, undecided };

inline Interval operator+(Interval a, Interval b) {
  return {a.lo + b.lo, a.likely + b.likely, a.hi + b.hi};
}
inline Interval operator-(Interval a, Interval b) {
  return {a.lo - b.hi, a.likely - b.likely, a.hi - b.lo};
}
inline Interval operator-(Interval a) { return {-a.hi, -a.likely, -a.lo}; }

inline Interval operator*(Interval a, Interval b) {
  double p[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return {*std::min_element(p, p + 4), a.likely * b.likely, *std::max_element(p, p + 4)};
}

// For a factor of 0 or more.
inline Interval scale(double factor, Interval v) {
  return {factor * v.lo, factor * v.likely, factor * v.hi};
}

// The caller has made sure that zero is not in b.
inline Interval operator/(Interval a, Interval b) {
  double q[] = {a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi};
  return {*std::min_element(q, q + 4), a.likely / b.likely, *std::max_element(q, q + 4)};
}

inline Interval max(Interval a, Interval b) {
  return {std::max(a.lo, b.lo), std::max(a.likely, b.likely), std::max(a.hi, b.hi)};
}
inline Interval min(Interval a, Interval b) {
  return {std::min(a.lo, b.lo), std::min(a.likely, b.likely), std::min(a.hi, b.hi)};
}

// a <= b holds for every pair of values, for none, or for some.
inline Verdict less_equal(Interval a, Interval b) {
  if (a.hi <= b.lo) return Verdict::proved;
  if (a.lo > b.hi) return Verdict::refuted;
  return Verdict::undecided;
}
inline Verdict less(Interval a, Interval b) {
  if (a.hi < b.lo) return Verdict::proved;
  if (a.lo >= b.hi) return Verdict::refuted;
  return Verdict::undecided;
}

}  // namespace dtp

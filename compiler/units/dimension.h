// A physical dimension: exponents over the base dimensions that the library declares (Memory, Time,
// Work, ...). Base dimensions are numbered in the order of their declaration; the first few have
// fixed numbers, since the engine speaks of them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

namespace dtp::units {

inline constexpr unsigned kMaxBaseDimensions = 32;

enum BaseDimension : uint8_t {
  kMemory,
  kTime,
  kWork,
  kEnergy,
  kStep,
  kSample,
  kToken,
  kEpoch,
  kFirstFree
};

class Dimension {
 public:
  static constexpr Dimension none() { return {}; }
  static constexpr Dimension base(unsigned number) {
    Dimension d;
    d.exponents_[number] = 1;
    return d;
  }
  bool is_none() const { return *this == Dimension(); }
  int exponent(unsigned number) const { return exponents_[number]; }

  friend bool operator==(const Dimension&, const Dimension&) = default;
  // Exponents are clamped to -100..100; no sensible quantity comes near.
  friend Dimension operator*(const Dimension& a, const Dimension& b) { return combine(a, b, 1); }
  friend Dimension operator/(const Dimension& a, const Dimension& b) { return combine(a, b, -1); }
  Dimension power(int exponent) const;
  // The dimension whose n-th power this is, where there is one.
  std::optional<Dimension> root(int n) const;

 private:
  static Dimension combine(const Dimension& a, const Dimension& b, int sign);
  std::array<int8_t, kMaxBaseDimensions> exponents_{};
};

inline constexpr Dimension kMemoryDimension = Dimension::base(kMemory);
inline constexpr Dimension kTimeDimension = Dimension::base(kTime);
inline constexpr Dimension kWorkDimension = Dimension::base(kWork);
inline constexpr Dimension kEnergyDimension = Dimension::base(kEnergy);

}  // namespace dtp::units

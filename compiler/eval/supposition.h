// What is supposed for a moment of the assumptions that estimates rest on. Two estimates that rest
// on the same assumption (the share of its peak that a GPU reaches, a price) move together: both
// are looked at with it at one of its ends.
#pragma once
#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <string_view>
#include <vector>

#include "base/interval.h"

namespace dtp::eval {

struct Record;

// One thing that is not known exactly, in base units. Those of one value and one reason are the
// same.
struct Assumption {
  std::string_view name;
  std::string_view why;
  Interval value;

  friend bool operator==(const Assumption& a, const Assumption& b) {
    return a.value == b.value && a.why == b.why;
  }
};

struct Supposed {
  Assumption assumption;
  bool high = false;  // its greatest value, or its least
};

class Supposition {
 public:
  Supposition() = default;
  explicit Supposition(llvm::ArrayRef<Supposed> supposed)
      : supposed_(supposed.begin(), supposed.end()) {}

  // What an assumption comes to: one of its ends, or all it may be.
  Interval value(Interval value, std::string_view why) const {
    for (const Supposed& s : supposed_)
      if (s.assumption.value == value && s.assumption.why == why)
        return Interval::point(s.high ? value.hi : value.lo);
    return value;
  }
  bool same(const Supposition& other) const {
    auto alike = [](const Supposed& a, const Supposed& b) {
      return a.assumption == b.assumption && a.high == b.high;
    };
    return std::equal(supposed_.begin(), supposed_.end(), other.supposed_.begin(),
                      other.supposed_.end(), alike);
  }

  // What was read while this was supposed.
  void read(Record* plan) {
    if (!llvm::is_contained(plans_, plan)) plans_.push_back(plan);
  }
  void met(const Assumption& assumption) {
    if (!assumption.value.is_point() && !llvm::is_contained(assumptions_, assumption))
      assumptions_.push_back(assumption);
  }
  llvm::ArrayRef<Record*> plans() const { return plans_; }
  llvm::ArrayRef<Assumption> assumptions() const { return assumptions_; }

 private:
  llvm::SmallVector<Supposed, 8> supposed_;
  llvm::SmallVector<Record*, 2> plans_;
  llvm::SmallVector<Assumption, 16> assumptions_;
};

}  // namespace dtp::eval

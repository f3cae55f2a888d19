// Each operation as a test calls it: in double, with what it should give by another formula.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "test/runtime/stand_in.h"

namespace dtp::test {

struct Case {
  std::string operation;
  std::string what;  // "of a row"
  Given given;
  // Of the same inputs, in other words. Left out where a test of its own checks the values.
  std::function<std::vector<at::Tensor>(const Given&)> expected;
};

std::vector<Case> elementwise_cases();
std::vector<Case> shape_cases();
std::vector<Case> product_cases();
std::vector<Case> image_cases();
std::vector<Case> expert_cases();
std::vector<Case> all_cases();

inline at::Tensor drawn(at::IntArrayRef shape) { return at::randn(shape, at::kDouble); }
// Away from 0, where logarithms and roots are smooth.
inline at::Tensor positive(at::IntArrayRef shape) { return at::rand(shape, at::kDouble) + 0.5; }
inline at::Tensor below(int64_t most, at::IntArrayRef shape) {
  return at::randint(most, shape, at::kLong);
}

}  // namespace dtp::test

// One operation of the runtime by itself: it is given tensors, and gives tensors.
#pragma once
#include <ATen/ATen.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/ops/call.h"

namespace dtp::test {

using Sizes = std::vector<int64_t>;

struct Given {
  std::vector<at::Tensor> inputs;
  std::vector<Sizes> outputs = {};  // as the graph says them
  std::vector<int64_t> integers = {};
  std::vector<double> reals = {};
  Sizes shape = {};
  std::vector<at::Tensor> parameters = {};
  int64_t iteration = 0;
};

// Runs `operation` as the last reader of all its inputs.
std::vector<at::Tensor> run(const std::string& operation, Given given);
inline at::Tensor run_one(const std::string& operation, Given given) {
  return run(operation, std::move(given)).at(0);
}
// The operations of the compiler's table.
std::vector<std::string> all_operations();

}  // namespace dtp::test

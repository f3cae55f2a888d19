// Checkpoints of a run: everything that its next step depends on, in one file a checkpoint.
// Random numbers of a step depend on seed, rank and step, data on the number of the sample: three
// integers stand for both.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/run/parameters.h"
#include "runtime/train/average.h"
#include "runtime/train/optimizer.h"

namespace dtp::runtime::train {

struct Position {
  int64_t step = 0;     // steps that are done
  int64_t samples = 0;  // of all ranks
  uint64_t seed = 0;
};

struct State {
  Parameters& parameters;
  Optimizer& optimizer;
  Average* average;  // null: none is kept
  Position position;
};

class Checkpoints {
 public:
  // `keep`: older ones go.
  Checkpoints(std::string folder, int keep) : folder_(std::move(folder)), keep_(keep) {}

  bool any() const { return !files().empty(); }
  void save(const State& state) const;
  // The newest that is whole; what is damaged is told in `told`. False: there is none.
  bool load(State& state, std::vector<std::string>& told) const;
  // What a killed run left half-written.
  void sweep() const;

 private:
  std::vector<std::string> files() const;  // the newest first
  std::string folder_;
  int keep_;
};

// The state dict alone, as it is shipped.
void write_model(const std::string& path, const State& state);
// The same of the average.
void write_average(const std::string& path, const State& state);

}  // namespace dtp::runtime::train

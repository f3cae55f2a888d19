// Where samples come from. Sample `number` is the same whoever asks, on any rank and after a
// restart: that makes data parallel runs and resumed runs comparable.
#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/config/training_config.h"

namespace dtp::runtime::data {

class Source {
 public:
  virtual ~Source() = default;
  // Writes the sample into `place`, the part of input `column` that is its own.
  virtual void fill(size_t column, int64_t number, at::Tensor place) = 0;
  // How many there are; 0: without end.
  virtual int64_t samples() const { return 0; }
};

// Made up of the seed: normal numbers, integers below the column's bound, coins.
std::unique_ptr<Source> made_up(const Graph& graph, uint64_t seed);
// From a folder: `NAME.bin`, raw values one sample after another, with `NAME.json` that says
// {"type": "float32", "shape": [samples, ...]}. Mapped, not read; shuffled anew each epoch.
std::unique_ptr<Source> from_folder(const TrainingConfig& config, const std::string& folder,
                                    uint64_t seed);

// The inputs of one micro-batch, in memory that every batch is written into.
class Batch {
 public:
  Batch(const TrainingConfig& config, at::Device device);
  // Samples `first` and on, one after another.
  void fill(Source& source, int64_t first);
  const std::vector<at::Tensor>& inputs() const { return inputs_; }

 private:
  struct Column {
    int axis = -1;         // of the batch; -1: none
    int64_t extent = 1;    // of one sample along it
    at::Tensor of_sample;  // on the host, where the inputs are elsewhere
  };
  std::vector<at::Tensor> inputs_;
  std::vector<Column> columns_;
  int64_t samples_;
};

}  // namespace dtp::runtime::data

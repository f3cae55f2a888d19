// A trained model on data that it has not seen: forward passes alone, nothing dropped at random.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/config/training_config.h"
#include "runtime/data/source.h"

namespace dtp::runtime::evaluate {

struct Result {
  int64_t samples = 0;
  double loss = 0;              // mean over the samples
  std::optional<double> right;  // share of labels met, where the loss is a cross-entropy
};

// `model`: a state dict as the trainer writes it. The source counts its samples.
Result evaluate(const TrainingConfig& config, const std::string& model, data::Source& source);

}  // namespace dtp::runtime::evaluate

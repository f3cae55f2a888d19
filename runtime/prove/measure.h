// Two steps of a config run for real: what each phase took, and every event of the second one.
#pragma once
#include <string>
#include <vector>

#include "runtime/config/training_config.h"
#include "runtime/meter/trace.h"

namespace dtp::runtime::prove {

struct Numbers {
  int64_t model = 0, before = 0;
  int64_t forward_peak = 0, saved = 0, backward_peak = 0, after_backward = 0;
  int64_t first_step_peak = 0, step_peak = 0;
};

// In the order of a table, with the names of its columns.
struct NumberField {
  const char* name;
  int64_t Numbers::* measured;
  int64_t Predicted::* predicted;
};
const std::vector<NumberField>& number_fields();

struct Happened {
  int64_t bytes = 0;  // negative: given back
  std::string by;     // "linear of blocks.{i}.fc1, backward (aten::mm)"
};

struct Measured {
  Numbers numbers;       // without what oneDNN worked in
  int64_t scratch = 0;   // by which that raised the highest peak
  int64_t resident = 0;  // of the whole process, at the end
  std::vector<Happened> forward, backward, release;
};

// Tensors are counted by the allocator of meter/, which is installed before.
Measured measure(const TrainingConfig& config);

}  // namespace dtp::runtime::prove

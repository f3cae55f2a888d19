// What a file of measurements says of the steps that it saw: figures by the path of a result, the
// bytes of tensors by phase, and of which plan they are.
#pragma once
#include <llvm/Support/Allocator.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/symbol.h"
#include "diagnostics/sink.h"

namespace dtp::trial {

struct Figure {
  std::string path;  // "time.step"
  Interval value;    // base units
  std::string how;   // "5th percentile, median, 95th of 499 steps"
  Span at;
};

// Tensors at one moment of a step, counted to the byte.
struct TensorBytes {
  std::string moment;  // "forward_peak", as the trainer names it
  int64_t bytes = 0;   // the most of all steps
};

// A text or a number of the file, and where it stands.
template <class T>
struct Said {
  T value{};
  Span at;
};

// What the trainer says of the plan that it ran.
struct Ran {
  Said<std::string> plan, parameters, compute, device;
  Said<int64_t> micro_batch, accumulation, ranks, model_bytes;
  Said<bool> recompute;
  int64_t predicted_model_bytes = 0;
};

struct Measurement {
  FileId file;
  std::optional<Ran> ran;  // a table does not say
  std::string machine, date;
  std::vector<std::pair<std::string, std::string>> versions;
  int64_t steps = 0;     // that count
  int64_t left_out = 0;  // before them: warming up
  std::vector<Figure> figures;
  std::vector<TensorBytes> tensors;
  std::vector<std::string> not_read;  // columns and the like that nothing is known of
};

struct ReadOptions {
  std::optional<int64_t> warm_up;  // steps to leave out; nothing: a tenth of them, 10 at most
  int64_t samples_a_step = 0;      // of the plan: what a rate is counted with
  bool recomputes = false;         // a backward pass runs forward passes again
  bool spread = false;             // over several devices, which reduce gradients
};

// Nothing after a report. The kind of file is seen from its text: measured.json or metrics.jsonl of
// the trainer, or a table of comma-separated values.
std::optional<Measurement> read_measurement(FileId file, std::string_view name,
                                            std::string_view text, const ReadOptions& options,
                                            DiagnosticSink& sink);

}  // namespace dtp::trial

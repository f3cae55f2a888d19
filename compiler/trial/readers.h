// One function a kind of file.
#pragma once
#include "trial/measurement.h"

namespace dtp::trial {

struct Source {
  FileId file;
  std::string_view name, text;
  const ReadOptions& options;
  DiagnosticSink& sink;

  // Says what is wrong at a place of the file.
  DiagnosticBuilder broken(size_t begin, size_t end, std::string what) const;
};

std::optional<Measurement> read_report(const Source& source);   // measured.json
std::optional<Measurement> read_metrics(const Source& source);  // metrics.jsonl
std::optional<Measurement> read_table(const Source& source);    // .csv

}  // namespace dtp::trial

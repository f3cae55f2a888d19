#include "runtime/train/metrics.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace dtp::runtime::train {
namespace {

using Json = nlohmann::ordered_json;

// The step of a line; beyond all where it is torn.
int64_t step_of(const std::string& line) {
  Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("step") || !json["step"].is_number_integer())
    return INT64_MAX;
  return json["step"].get<int64_t>();
}

}  // namespace

Metrics::Metrics(const std::string& path, int64_t steps) {
  const std::string kept = path + ".tmp";
  {
    std::ifstream old(path);
    std::ofstream fresh(kept, std::ios::trunc);
    for (std::string line; steps > 0 && std::getline(old, line);)
      if (step_of(line) <= steps) fresh << line << '\n';
    if (!fresh.flush()) throw std::runtime_error(kept + ": cannot be written");
  }
  std::filesystem::rename(kept, path);
  file_.open(path, std::ios::app);
}

void Metrics::add(const StepOutcome& outcome) {
  const StepRecord& r = outcome.record;
  Json seconds = {{"step", r.step_seconds}}, bytes;
  for (size_t i = 0; i < kPhases; ++i) {
    seconds[kPhaseNames[i]] = r.seconds[i];
    bytes[kPhaseNames[i]] = r.peak[i];
  }
  Json line = {{"step", outcome.step},  {"loss", outcome.loss}, {"lr", outcome.rate},
               {"seconds", seconds},    {"bytes", bytes},       {"reserved", r.reserved},
               {"resident", r.resident}};
  // Whoever follows the file sees whole lines.
  file_ << line.dump() + "\n" << std::flush;
}

}  // namespace dtp::runtime::train

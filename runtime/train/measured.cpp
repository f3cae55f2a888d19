#include "runtime/train/measured.h"

#include <sys/utsname.h>
#include <torch/version.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "runtime/meter/resident.h"

namespace dtp::runtime::train {
namespace {

using Json = nlohmann::ordered_json;
using Records = std::deque<StepRecord>;

// Enough for any quantile, and memory that does not grow with the run.
constexpr size_t kMostRecords = 10'000;
constexpr int kSchema = 1;

template <class T>
std::vector<T> sorted(const Records& records, const std::function<T(const StepRecord&)>& value) {
  std::vector<T> values;
  values.reserve(records.size());
  for (const StepRecord& r : records) values.push_back(value(r));
  std::ranges::sort(values);
  return values;
}

template <class T>
T quantile(const std::vector<T>& values, double share) {
  return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

Json seconds_of(const Records& records, const std::function<double(const StepRecord&)>& value) {
  std::vector<double> all = sorted<double>(records, value);
  if (all.empty()) return nullptr;
  double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return {{"mean", sum / static_cast<double>(all.size())},
          {"least", all.front()},
          {"p05", quantile(all, 0.05)},
          {"p25", quantile(all, 0.25)},
          {"median", quantile(all, 0.5)},
          {"p75", quantile(all, 0.75)},
          {"p95", quantile(all, 0.95)},
          {"most", all.back()}};
}

Json bytes_of(const Records& records, const std::function<int64_t(const StepRecord&)>& value) {
  std::vector<int64_t> all = sorted<int64_t>(records, value);
  if (all.empty()) return nullptr;
  return {{"median", quantile(all, 0.5)}, {"most", all.back()}};
}

int64_t peak_above_start(const StepRecord& r, Phase phase) {
  return r.peak[static_cast<size_t>(phase)] - r.before;
}

Json all_bytes(const Records& records) {
  auto by = [&](auto value) { return bytes_of(records, value); };
  return {
      {"before", by([](const StepRecord& r) { return r.before; })},
      {"forward_peak", by([](const StepRecord& r) { return peak_above_start(r, Phase::forward); })},
      {"saved", by([](const StepRecord& r) { return r.saved; })},
      {"backward_peak",
       by([](const StepRecord& r) { return peak_above_start(r, Phase::backward); })},
      {"after_backward", by([](const StepRecord& r) { return r.after_backward; })},
      {"step_peak", by([](const StepRecord& r) { return r.optimizer_peak; })},
      {"peak", by([](const StepRecord& r) { return *std::ranges::max_element(r.peak); })},
      {"reserved", by([](const StepRecord& r) { return r.reserved; })},
      {"resident", by([](const StepRecord& r) { return r.resident; })}};
}

Json all_seconds(const Records& records) {
  Json seconds = {
      {"step", seconds_of(records, [](const StepRecord& r) { return r.step_seconds; })}};
  for (size_t i = 0; i < kPhases; ++i)
    seconds[kPhaseNames[i]] =
        seconds_of(records, [i](const StepRecord& r) { return r.seconds[i]; });
  return seconds;
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "";
}

Json machine(const std::string& device) {
  utsname names{};
  uname(&names);
  return {{"host", names.nodename},
          {"processor", processor()},
          {"processors", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory", int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE)},
          {"system", std::string(names.sysname) + " " + names.release + " " + names.machine},
          {"device", device}};
}

std::string now() {
  std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

Json predicted(const Predicted& p) {
  return {{"bytes",
           {{"model", p.model},
            {"before", p.before},
            {"forward_peak", p.forward_peak},
            {"saved", p.saved},
            {"backward_peak", p.backward_peak},
            {"after_backward", p.after_backward},
            {"first_step_peak", p.first_step_peak},
            {"step_peak", p.step_peak}}},
          {"step_seconds", {p.step_seconds_low, p.step_seconds, p.step_seconds_high}}};
}

}  // namespace

void Measurements::add(const StepRecord& record) {
  if (++steps_ == 1) {
    first_ = record;
    return;
  }
  later_.push_back(record);
  if (later_.size() > kMostRecords) later_.pop_front();
}

void Measurements::write(const std::string& path, const Run& run) const {
  const TrainingConfig& c = run.config;
  Json json = {{"schema", kSchema},
               {"plan", c.plan},
               {"made_by", c.made_by},
               {"date", now()},
               {"machine", machine(run.options.device)},
               {"versions", {{"libtorch", TORCH_VERSION}, {"onednn", run.options.onednn}}}};
  json["run"] = {{"first_step", run.first_step},
                 {"steps", steps_},
                 {"counted", later_.size()},
                 {"ranks", run.world},
                 {"threads", run.threads},
                 {"micro_batch", c.micro_batch},
                 {"accumulation", c.accumulation},
                 {"parameters", c.parameters},
                 {"compute", c.autocast ? c.compute : c.parameters},
                 {"recompute", c.recompute},
                 {"data", run.options.data.empty() ? "made up" : "columns"}};
  json["bytes"] = all_bytes(later_);
  json["bytes"]["model"] = run.model_bytes;
  json["seconds"] = all_seconds(later_);
  if (steps_ > 0)
    json["first_step"] = {{"bytes", all_bytes({first_})}, {"seconds", all_seconds({first_})}};
  json["most_resident"] = meter::most_resident_bytes();
  json["predicted"] = predicted(c.predicted);
  {
    std::ofstream file(path + ".tmp", std::ios::trunc);
    file << json.dump(2) << "\n";
    if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
  }
  std::filesystem::rename(path + ".tmp", path);
}

}  // namespace dtp::runtime::train

// metrics.jsonl of the trainer: an object a line, a line a step.
#include <algorithm>

#include "base/out.h"
#include "sema/json_data.h"
#include "trial/json_view.h"
#include "trial/series.h"

namespace dtp::trial {
namespace {

// False after a report.
bool add_step(const JsonView& line, const ReadOptions& options, StepSeries& series) {
  for (auto [phase, path] : kSeconds) {
    JsonView value = line["seconds"][phase];
    auto seconds = value.number();
    if (!seconds) return false;
    series.add(path, *seconds, value.at());
  }
  if (JsonView reduce = line["seconds"]["reduce"]; options.spread && reduce.exists()) {
    auto seconds = reduce.number();
    if (!seconds) return false;
    series.add("time.exposed_communication", *seconds, reduce.at());
  }
  double most = 0;
  JsonView bytes = line["bytes"];
  for (std::string_view phase : {"data", "forward", "backward", "optimizer"}) {
    auto peak = bytes[phase].number();
    if (!peak) return false;
    most = std::max(most, *peak);
  }
  series.add("memory.allocated", most, bytes.at());
  series.end_step();
  return true;
}

}  // namespace

std::optional<Measurement> read_metrics(const Source& source) {
  StepSeries series;
  for (size_t begin = 0; begin < source.text.size();) {
    size_t end = std::min(source.text.find('\n', begin), source.text.size());
    std::string_view line = source.text.substr(begin, end - begin);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      // A run may be long: what a line is read into is given back after it.
      llvm::BumpPtrAllocator arena;
      Interner names;
      const lang::Expr* value = sema::read_json({source.file, static_cast<uint32_t>(begin)},
                                                source.name, line, names, arena, source.sink);
      if (!value || !add_step({value, names, source, ""}, source.options, series))
        return std::nullopt;
    }
    begin = end + 1;
  }
  Measurement out;
  out.file = source.file;
  if (!series.finish(source, out)) return std::nullopt;
  return out;
}

}  // namespace dtp::trial

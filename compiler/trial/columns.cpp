#include "trial/columns.h"

#include <algorithm>

#include "trial/series.h"

namespace dtp::trial {
namespace {

enum class Measure : unsigned char { time, memory, rate };

struct Name {
  std::string_view name, result;
  Measure measure;
};
// `max_memory` is what PyTorch's logs call torch.cuda.max_memory_allocated(); `memory_used` is
// nvidia-smi's word for the whole device.
constexpr Name kNames[] = {
    {"step_time", "time.step", Measure::time},
    {"iteration_time", "time.step", Measure::time},
    {"forward_time", "time.forward", Measure::time},
    {"backward_time", "time.backward", Measure::time},
    {"optimizer_time", "time.optimizer", Measure::time},
    {"samples_per", "time.step", Measure::rate},
    {"max_memory", "memory.allocated", Measure::memory},
    {"max_memory_allocated", "memory.allocated", Measure::memory},
    {"memory_allocated", "memory.allocated", Measure::memory},
    {"max_memory_reserved", kReserved, Measure::memory},
    {"memory_reserved", kReserved, Measure::memory},
    {"memory_used", "memory.peak", Measure::memory},
};

struct Unit {
  std::string_view name;
  Measure measure;
  double scale;
};
constexpr Unit kUnits[] = {
    {"s", Measure::time, 1},
    {"ms", Measure::time, 1e-3},
    {"us", Measure::time, 1e-6},
    {"bytes", Measure::memory, 1},
    {"kib", Measure::memory, 1024.0},
    {"mib", Measure::memory, 1048576.0},
    {"gib", Measure::memory, 1073741824.0},
    {"kb", Measure::memory, 1e3},
    {"mb", Measure::memory, 1e6},
    {"gb", Measure::memory, 1e9},
    {"s", Measure::rate, 1},
    {"second", Measure::rate, 1},
};

std::string_view units_of(Measure measure) {
  switch (measure) {
    case Measure::time: return "s, ms, us";
    case Measure::memory: return "bytes, kib, mib, gib, kb, mb, gb";
    case Measure::rate: return "s, second";
  }
  return {};
}

}  // namespace

Column column_of(std::string_view written) {
  std::string name(written);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  for (const Name& n : kNames) {
    if (name == n.name) return {n.result, 1, false, true, units_of(n.measure)};
    for (const Unit& u : kUnits)
      if (u.measure == n.measure && name == std::string(n.name) + "_" + std::string(u.name))
        return {n.result, u.scale, n.measure == Measure::rate, false, {}};
  }
  return {};
}

std::string known_columns() {
  std::string out;
  for (Measure measure : {Measure::time, Measure::memory, Measure::rate}) {
    out += out.empty() ? "" : "; ";
    bool first = true;
    for (const Name& n : kNames) {
      if (n.measure != measure) continue;
      out += (first ? "`" : ", `") + std::string(n.name) + "`";
      first = false;
    }
    out += " with _" + std::string(units_of(measure).substr(0, units_of(measure).find(','))) +
           (measure == Measure::time     ? ", _ms or _us"
            : measure == Measure::memory ? ", _mib, _gib, _mb and the like"
                                         : "");
  }
  return out;
}

}  // namespace dtp::trial

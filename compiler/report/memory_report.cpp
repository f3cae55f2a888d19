// `explain memory`: what is alive at the peak, by term, by phase, and by layer and operation.
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cmath>

#include "base/out.h"
#include "report/report.h"
#include "report/table.h"
#include "units/print.h"

namespace dtp::report {
namespace {

constexpr size_t kMostParts = 20;

std::string bar(double share) {
  auto cells = std::lround(std::clamp(share, 0.0, 1.0) * 30);
  return std::string(static_cast<size_t>(cells), '#');
}

std::string range(const units::UnitTable& units, const Interval& v) {
  return units::print_interval(units, v, units::kMemoryDimension);
}

void print_exact(const estimate::Memory& m, llvm::raw_ostream& out) {
  Table table("lrl");
  table.row({"before the pass", with_thousands(m.exact.before),
             "B  parameters, optimizer states, EMA, inputs"});
  table.row({"forward peak", with_thousands(m.exact.forward_peak), "B  above that"});
  table.row({"saved for backward", with_thousands(m.exact.saved), "B"});
  table.row({"backward peak", with_thousands(m.exact.backward_peak), "B"});
  table.row({"after backward", with_thousands(m.exact.after_backward), "B"});
  table.row({"optimizer, first step", with_thousands(m.exact.first_step_peak), "B"});
  table.row({"optimizer, later", with_thousands(m.exact.step_peak), "B"});
  table.print(out);
}

}  // namespace

void explain_memory(const PlanReport& report, const units::UnitTable& units,
                    llvm::raw_ostream& out) {
  const engine::Outcome& o = *report.outcome;
  const estimate::Memory& m = o.estimates.memory;
  print(out, "{}: {} at the peak ({}), of {} on {}\n\n", report.name, range(units, m.peak.value),
        estimate::name_of(m.peak_phase), range(units, o.settings.hardware.gpu.memory.value),
        o.settings.hardware.gpu.name);
  Table terms("lrll");
  for (const auto& [name, term] : estimate::terms_at_peak(m)) {
    double share = m.peak.value.likely > 0 ? term.value.likely / m.peak.value.likely : 0;
    terms.row({name, range(units, term.value), bar(share), term.why});
  }
  terms.rule();
  terms.row({"peak", range(units, m.peak.value), "", ""});
  terms.print(out);

  out << "\nby phase, the whole device\n";
  Table phases("lr");
  for (int i = 0; i < estimate::kPhases; ++i)
    phases.row({std::string(estimate::name_of(static_cast<estimate::Phase>(i))),
                range(units, m.phases[i])});
  phases.print(out);

  out << "\ntensors alone, exact for the framework's rules\n";
  print_exact(m, out);

  estimate::Estimator& estimator = o.built->estimator;
  std::vector<estimate::LivePart> parts =
      estimate::live_at_peak(estimator, o.settings, m.peak_phase);
  print(out, "\nalive at the peak ({}) beside what is always there, by layer and operation\n",
        estimate::name_of(m.peak_phase));
  Table live("rlll");
  Int128 rest = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i >= kMostParts) {
      rest += parts[i].bytes;
      continue;
    }
    live.row({range(units, Interval::point(static_cast<double>(parts[i].bytes))), parts[i].what,
              parts[i].layer.empty() ? "(objective)" : parts[i].layer, parts[i].operation});
  }
  if (rest > 0)
    live.row({range(units, Interval::point(static_cast<double>(rest))), "",
              format("{} smaller parts", parts.size() - kMostParts), ""});
  live.print(out);
}

}  // namespace dtp::report

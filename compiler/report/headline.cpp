#include "base/out.h"
#include "report/report.h"
#include "units/print.h"

namespace dtp::report {

std::string headline(const PlanReport& report, const units::UnitTable& units) {
  const engine::Outcome& o = *report.outcome;
  auto memory = [&](double v) { return units::print_quantity(units, v, units::kMemoryDimension); };
  auto time = [&](double v) { return units::print_quantity(units, v, units::kTimeDimension); };
  std::string out = format("{} of {}, {} a step", memory(o.estimates.memory.peak.value.likely),
                           memory(o.settings.hardware.gpu.memory.value.likely),
                           time(o.estimates.time.step.value.likely));
  if (o.settings.steps) out += format(", {} in all", time(o.estimates.time.total.value.likely));
  if (!o.estimates.cost.currency.empty() && o.estimates.length_unknown.empty())
    out += ", " + units::print_quantity(units, o.estimates.cost.total.value.likely,
                                        units::Dimension::base(o.estimates.cost.dimension));
  return out;
}

bool explain(const PlanReport& report, std::string_view topic, const units::UnitTable& units,
             llvm::raw_ostream& out) {
  if (topic == "memory")
    explain_memory(report, units, out);
  else if (topic == "time")
    explain_time(report, units, out);
  else if (topic == "model")
    explain_model(report, units, out);
  else
    return false;
  return true;
}

}  // namespace dtp::report

// `explain time`: the step as a table, and what it adds up to.
#include <llvm/Support/raw_ostream.h>

#include "base/out.h"
#include "report/report.h"
#include "report/table.h"
#include "units/print.h"

namespace dtp::report {

void explain_time(const PlanReport& report, const units::UnitTable& units, llvm::raw_ostream& out) {
  const engine::Outcome& o = *report.outcome;
  const estimate::Time& t = o.estimates.time;
  auto time = [&](const estimate::Estimate& e) {
    return units::print_interval(units, e.value, units::kTimeDimension);
  };
  const plan::Batch& batch = o.settings.batch;
  print(out, "{}: {} a step of {} ({} a pass, {}, {})\n\n", report.name, time(t.step),
        counted(batch.global, "sample"), with_thousands(batch.micro),
        counted(batch.accumulation, "pass", "passes"), counted(o.settings.parallel.ranks, "rank"));
  Table step("lrl");
  auto add = [&](const char* name, const estimate::Estimate& e) {
    if (e.value.hi > 0) step.row({name, time(e), e.why});
  };
  add("forward", t.forward);
  add("backward", t.backward);
  add("recompute", t.recompute);
  add("optimizer", t.optimizer);
  add("communication", t.communication);
  add("  of it exposed", t.exposed_communication);
  add("pipeline bubble", t.bubble);
  step.rule();
  add("step", t.step);
  step.print(out);
  out << "\n";
  Table totals("lrl");
  const estimate::Estimates& e = o.estimates;
  if (o.settings.steps) {
    totals.row({"steps", units::print_interval(units, *o.settings.steps, {}), ""});
    totals.row({"total", time(t.total), t.total.why});
  }
  if (t.epoch.value.hi > 0) totals.row({"epoch", time(t.epoch), t.epoch.why});
  totals.row({"throughput",
              units::print_interval(units, e.throughput.samples.value,
                                    units::Dimension::base(units::kSample) / units::kTimeDimension),
              ""});
  totals.row({"per GPU",
              units::print_interval(units, e.throughput.flops_per_gpu.value,
                                    units::kWorkDimension / units::kTimeDimension),
              e.throughput.flops_per_gpu.why});
  totals.row({"MFU", units::print_percent(e.utilization.mfu.value), e.utilization.mfu.why});
  totals.row({"HFU", units::print_percent(e.utilization.hfu.value), e.utilization.hfu.why});
  if (!e.cost.currency.empty() && e.length_unknown.empty())
    totals.row(
        {"cost",
         units::print_interval(units, e.cost.total.value, units::Dimension::base(e.cost.dimension)),
         e.cost.total.why});
  if (e.length_unknown.empty() && e.energy.total.value.hi > 0)
    totals.row({"energy",
                units::print_interval(units, e.energy.total.value, units::kEnergyDimension),
                e.energy.total.why});
  totals.print(out);
}

}  // namespace dtp::report

// Several runs in a few lines: of a sweep, and of a series.
#include "base/out.h"
#include "report/report.h"
#include "units/print.h"

namespace dtp::report {
namespace {

using Figure = Together::Figure;

std::string likely(const Figure& f, const units::UnitTable& units) {
  return units::print_quantity(units, f.value.value.likely, f.dimension);
}

std::string runs_of(const Together& t) {
  return counted(static_cast<Int128>(t.runs.size()), "run");
}

}  // namespace

Together together(llvm::ArrayRef<engine::Run> runs, bool at_once, const units::UnitTable& units) {
  Together result;
  for (const engine::Run& run : runs) {
    PlanReport one;
    one.outcome = run.outcome;
    result.runs.push_back({run.outcome->settings.plan_name, headline(one, units)});
  }
  const estimate::Estimates& first = *runs.front().estimates;
  for (const estimate::ResultField& f : estimate::result_fields()) {
    bool figure = f.name == "peak" || f.name == "total";
    auto value = figure ? engine::figure_together(f, runs, at_once) : std::nullopt;
    if (value)
      result.figures.push_back(
          {f.group, f.name, *value, estimate::dimension_of(f.quantity, first)});
  }
  return result;
}

std::string spent_line(const Together& t, const units::UnitTable& units) {
  std::string out = runs_of(t) + ": ";
  bool any = false;
  for (const Figure& f : t.figures)
    if (f.group == "cost" || f.group == "energy")
      out += (std::exchange(any, true) ? ", " : "") + likely(f, units);
  return out + " together";
}

std::string series_headline(const Together& t, const units::UnitTable& units) {
  std::string out = runs_of(t);
  for (const Figure& f : t.figures)
    if (f.group != "energy")
      out += format(", {}{}", likely(f, units),
                    f.group == "memory" ? " at the peak"
                    : f.group == "time" ? " in all"
                                        : "");
  return out;
}

std::string series_summary(const PlanReport& report, const units::UnitTable& units) {
  const Together& t = *report.series;
  std::string out;
  for (const Together::Row& run : t.runs)
    out += format("  {}  {}: {}\n", out.empty() ? "runs  " : "      ", run.name, run.headline);
  for (const Figure& f : t.figures)
    out += format("  {:<6}  {}, {}\n", f.group,
                  units::print_interval(units, f.value.value, f.dimension), f.value.why);
  return out + verdict_lines(report.judgement);
}

}  // namespace dtp::report

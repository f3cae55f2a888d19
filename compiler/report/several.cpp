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

std::string sweep_line(llvm::ArrayRef<const PlanReport*> runs, const Together& t,
                       const units::UnitTable& units) {
  size_t hold = 0, unpriced = 0;
  bool mixed = false;
  const PlanReport* cheapest = nullptr;
  auto cost = [](const PlanReport& r) -> const estimate::Cost& {
    return r.outcome->estimates.cost;
  };
  for (const PlanReport* run : runs) {
    bool priced = !cost(*run).currency.empty();
    unpriced += !priced;
    hold += run->ok;
    bool known = run->ok && priced && run->outcome->estimates.length_unknown.empty();
    if (!known) continue;
    // Sums of two currencies are not compared.
    if (cheapest && cost(*run).dimension != cost(*cheapest).dimension) mixed = true;
    if (!cheapest || cost(*run).total.value.likely < cost(*cheapest).total.value.likely)
      cheapest = run;
  }
  std::string out = runs_of(t) + ", of which " +
                    (hold == runs.size() ? "all hold"
                     : hold == 0         ? "none holds"
                     : hold == 1         ? "1 holds"
                                         : format("{} hold", hold));
  if (cheapest && hold > 1 && !mixed)
    out += format("; the cheapest is {}: {}", cheapest->name,
                  units::print_quantity(units, cost(*cheapest).total.value.likely,
                                        units::Dimension::base(cost(*cheapest).dimension)));
  if (unpriced > 0)
    out += format("; {} without a price", unpriced == runs.size() ? "all" : format("{}", unpriced));
  std::string sum;
  for (const Figure& f : t.figures)
    if (f.group == "cost" || f.group == "energy")
      sum += (sum.empty() ? "" : ", ") + likely(f, units);
  return sum.empty() ? out : out + "; if all of them run: " + sum;
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

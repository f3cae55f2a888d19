// What `check` says of a plan that holds: a few lines with the numbers that matter.
#include <algorithm>

#include "base/out.h"
#include "report/report.h"
#include "units/print.h"

namespace dtp::report {
namespace {

// "proved fits, deadline" and so on, in the order of the plan.
std::string labels(const judge::Judgement& judgement, Verdict verdict, bool allowed) {
  std::string out;
  for (const judge::VerdictRow& r : judgement.rows)
    if (r.verdict == verdict && r.allowed == allowed && !r.failed)
      out += (out.empty() ? "" : ", ") + r.label;
  return out;
}

// "time.step 0.61 s, estimated 0.58 s (0.50 s to 0.70 s): 1.05 of it, inside"
std::string comparison(const engine::Comparison& c, const units::UnitTable& units) {
  double likely = c.estimated.value.likely;
  std::string ratio = likely > 0 ? format("{:.3g} of it, ", c.measured.likely / likely) : "";
  return format("{} {}, estimated {}: {}{}{}", c.path,
                units::print_interval(units, c.measured, c.dimension),
                units::print_interval(units, c.estimated.value, c.dimension), ratio,
                c.inside ? "inside" : "outside", c.used ? "; taken instead" : "");
}

}  // namespace

std::string peak_terms(const engine::Outcome& o, const units::UnitTable& units) {
  auto all = estimate::terms_at_peak(o.estimates.memory);
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second.value.likely > b.second.value.likely;
  });
  double peak = o.estimates.memory.peak.value.likely;
  std::string out;
  for (const auto& [name, term] : all)
    if (term.value.likely >= 0.005 * peak)
      out += format("{}{} {}", out.empty() ? "" : ", ", name,
                    units::print_quantity(units, term.value.likely, units::kMemoryDimension));
  return out;
}

std::string verdict_lines(const judge::Judgement& judgement) {
  std::string out;
  for (auto [word, verdict, allowed] : {std::tuple{"proved ", Verdict::proved, false},
                                        std::tuple{"open   ", Verdict::undecided, false},
                                        std::tuple{"allowed", Verdict::refuted, true}})
    if (std::string list = labels(judgement, verdict, allowed); !list.empty())
      out += format("  {} {}\n", word, list);
  return out;
}

std::string summary(const PlanReport& report, const units::UnitTable& units) {
  const engine::Outcome& o = *report.outcome;
  const estimate::Estimates& e = o.estimates;
  auto interval = [&](const Interval& v, const units::Dimension& d) {
    return units::print_interval(units, v, d);
  };
  std::string out = format(
      "  model   {}, {} trained; {} a sample forward\n", counted(o.model.parameters, "parameter"),
      with_thousands(o.model.trainable), units::print_macs(o.model.forward_macs));
  out += format("  memory  {} at the peak, of {} on {}\n",
                interval(e.memory.peak.value, units::kMemoryDimension),
                units::print_quantity(units, o.settings.hardware.gpu.memory.value.likely,
                                      units::kMemoryDimension),
                o.settings.hardware.gpu.name);
  out += format("          {}\n", peak_terms(o, units));
  out += format("  time    {} a step of {}", interval(e.time.step.value, units::kTimeDimension),
                counted(o.settings.batch.global, "sample"));
  if (o.settings.data.sequence > 0)
    out += format(" of {}", counted(o.settings.data.sequence, "token"));
  if (o.settings.steps)
    out += format("; {} in all", interval(e.time.total.value, units::kTimeDimension));
  out += "\n";
  for (const engine::Comparison& c : o.comparisons)
    out += format("  ran     {}\n", comparison(c, units));
  if (!e.cost.currency.empty() && e.length_unknown.empty())
    out += format("  cost    {}\n",
                  interval(e.cost.total.value, units::Dimension::base(e.cost.dimension)));
  if (report.goal) out += goal_line(*report.goal);
  return out + verdict_lines(report.judgement);
}

}  // namespace dtp::report

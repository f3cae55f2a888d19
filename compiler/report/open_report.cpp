// What `check` says of a plan that leaves something to be chosen.
#include "base/out.h"
#include "plan/sweep.h"
#include "report/report.h"
#include "units/print.h"

namespace dtp::report {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

// "2 of Recompute?: none, full"
std::string choice_line(const plan::OpenChoice& c) {
  std::string out = format("{} of {}: {}", with_thousands(static_cast<Int128>(c.choices)), c.type,
                           joined(c.first, ", "));
  if (c.choices > c.first.size()) out += ", ...";
  if (!c.rests_on.empty()) out += format(" (with the first of {})", joined(c.rests_on, " and "));
  return out;
}

std::string name(const plan::OpenChoice& c) {
  std::string out = c.plan.empty() ? c.name : c.plan + ": " + c.name;
  if (!c.whole && !c.text.empty()) out += " (" + c.text + ")";
  return out;
}

// A goal is not sought yet: what to write to see the plans side by side.
std::string unsought(const plan::OpenPlan& plan) {
  std::string out = "          no solver in this version: with `each` for `choose`, ";
  return out +
         (plan.plans <= Int128{plan::kMostVariants}
              ? format("all {} are told\n", counted(plan.plans, "plan"))
              : format("up to {} plans are told\n", with_thousands(Int128{plan::kMostVariants})));
}

}  // namespace

std::string open_headline(const plan::OpenPlan& plan) {
  size_t n = plan.choices.size();
  std::string choices = counted(static_cast<Int128>(n), "choice");
  std::string plans = counted(plan.plans, "plan");
  if (plan.exact) return format("{} span{} {}", choices, n == 1 ? "s" : "", plans);
  return format("{}, which depend on one another: {} under the first of each", choices, plans);
}

std::string goal_line(const judge::Goal& goal) {
  std::string out = format("  goal    {} ", goal.maximize ? "maximize" : "minimize");
  for (size_t i = 0; i < goal.aims.size(); ++i) {
    out += (i == 0 ? "" : ", then ") + goal.aims[i];
    if (!goal.values[i].empty()) out += format(" ({})", goal.values[i]);
  }
  return out + "\n";
}

std::string open_summary(const PlanReport& report) {
  std::string out;
  size_t width = 0;
  for (const plan::OpenChoice& c : report.choices->choices) width = std::max(width, name(c).size());
  constexpr size_t kWidest = 40;
  width = std::min(width, kWidest);
  for (const plan::OpenChoice& c : report.choices->choices) {
    std::string word = name(c);
    if (word.size() < width) word.append(width - word.size(), ' ');
    out += format("  {}  {}  {}\n", out.empty() ? "choose" : "      ", word, choice_line(c));
  }
  if (report.goal) out += goal_line(*report.goal) + unsought(*report.choices);
  return out + verdict_lines(report.judgement);
}

}  // namespace dtp::report

#include "pipeline/one_plan_needed.h"

#include "base/int128.h"
#include "base/out.h"
#include "diagnostics/display.h"

namespace dtp::pipeline {

Diagnostic open_plan_refused(const std::string& plan, Span span,
                             const std::vector<std::string>& choices, const char* purpose) {
  std::string names;
  for (size_t i = 0; i < choices.size(); ++i)
    names += format("{}`{}`", i == 0 ? "" : i + 1 == choices.size() ? " and " : ", ", choices[i]);
  DiagnosticBuilder builder(Kind::PlanOpen, span,
                            format("plan `{}` leaves {} to be chosen, so it cannot be {}",
                                   neutral(plan), names, purpose));
  builder.help(format("choose: `-D {}=...`, or in an amendment `plan q = {} {{ ... }}`",
                      choices.empty() ? "path" : choices.front(), neutral(plan)));
  return builder.take();
}

Diagnostic series_refused(const std::string& plan, Span span, const std::vector<std::string>& runs,
                          const char* purpose) {
  std::string names;
  for (const std::string& run : runs) names += (names.empty() ? "" : ", ") + neutral(run);
  DiagnosticBuilder builder(
      Kind::SeriesOfPlans, span,
      format("plan `{}` is a series of {}, and one plan is {} at a time", neutral(plan),
             counted(static_cast<Int128>(runs.size()), "run"), purpose));
  builder.note("its runs, in order: " + names);
  builder.help(
      format("take them one by one: `--plan {}`", runs.empty() ? "p" : neutral(runs.front())));
  return builder.take();
}

}  // namespace dtp::pipeline

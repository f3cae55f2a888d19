#include "driver/one_plan.h"

#include <algorithm>

#include "pipeline/one_plan_needed.h"

namespace dtp::driver {
namespace {

bool concerns(const Diagnostic& d, std::string_view plan) {
  return d.plans.empty() || std::any_of(d.plans.begin(), d.plans.end(),
                                        [&](const FoundIn& f) { return f.plan == plan; });
}

}  // namespace

ExitStatus leave_out_others(pipeline::Session& session, const Arguments& arguments,
                            ExitStatus status) {
  const auto& plans = session.plans();
  bool known = std::any_of(plans.begin(), plans.end(),
                           [&](const auto& plan) { return plan.name == arguments.plan; });
  if (status != kErrorsInPlans || !known) return status;
  auto& all = session.sink().diagnostics();
  std::erase_if(all, [&](const Diagnostic& d) { return !concerns(d, arguments.plan); });
  bool error = std::any_of(all.begin(), all.end(),
                           [](const Diagnostic& d) { return d.severity == Severity::error; });
  return error ? kErrorsInPlans : kClean;
}

bool can_run(pipeline::Session& session, const pipeline::PlanResult& plan, const char* purpose) {
  if (!plan.choices.empty())
    session.sink().add(pipeline::open_plan_refused(plan.name, plan.span, plan.choices, purpose));
  else if (!plan.series.empty())
    session.sink().add(pipeline::series_refused(plan.name, plan.span, plan.series, purpose));
  else
    return true;
  return false;
}

const pipeline::PlanResult* one_plan(pipeline::Session& session, const std::string& file,
                                     const Arguments& arguments, const char* purpose,
                                     ExitStatus& status) {
  status = check_inputs({file}, session);
  if (!arguments.plan.empty()) status = leave_out_others(session, arguments, status);
  if (status != kClean) return nullptr;
  const pipeline::PlanResult* plan = choose_plan(session, arguments);
  status = !plan ? kWrongUse : can_run(session, *plan, purpose) ? kClean : kErrorsInPlans;
  return status == kClean ? plan : nullptr;
}

}  // namespace dtp::driver

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "base/out.h"
#include "diagnostics/display.h"
#include "driver/findings.h"
#include "driver/messages.h"
#include "driver/pages.h"
#include "pipeline/one_plan_needed.h"

namespace dtp::driver {
namespace {

constexpr std::string_view kTopics[] = {"memory", "time", "model"};

// "DTP4001", "dtp4001" and "4001" mean the same.
std::string as_code(std::string_view word) {
  std::string code;
  for (char c : word) code += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  bool digits = code.size() == 4 && code.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "DTP" + code : code;
}

bool looks_like_code(std::string_view word) {
  std::string code = as_code(word);
  return code.size() == 7 && code.starts_with("DTP") &&
         code.find_first_not_of("0123456789", 3) == std::string::npos;
}

ExitStatus explain_code(std::string_view word) {
  std::string code = as_code(word);
  for (const Page& page : diagnostic_pages()) {
    if (page.code != code) continue;
    llvm::outs() << page.text;
    return kClean;
  }
  complain("no diagnostic has the code `" + code + "`",
           "`dtpc check` prints the code in brackets: error[DTP4001]");
  return kWrongUse;
}

}  // namespace

ExitStatus explain_command(const Arguments& arguments) {
  std::vector<std::string> files = arguments.words;
  if (files.size() == 1 && looks_like_code(files.front())) return explain_code(files.front());
  std::string topic = files.size() < 2 ? "" : files.back();
  if (std::find(std::begin(kTopics), std::end(kTopics), topic) == std::end(kTopics)) {
    complain(
        files.size() < 2 ? "explain takes a file and a topic, or the code of a diagnostic"
                         : "explain knows no topic `" + neutral(topic) + "`" +
                               did_you_mean(nearest_name(topic, kTopics)),
        "dtpc explain dit.dtp memory|time|model, dtpc explain DTP4001; of other figures: dtpc why "
        "dit.dtp cost.total");
    return kWrongUse;
  }
  files.pop_back();
  auto& session = *new pipeline::Session(session_options(arguments));
  ExitStatus status = check_inputs(files, session);
  // A plan whose demands are refuted is the one to explain: its numbers are shown all the same.
  const pipeline::PlanResult* plan =
      status == kWrongUse ? nullptr : choose_plan(session, arguments);
  if (!plan)
    status =
        worse(status, session.plans().empty() && status != kClean ? kErrorsInPlans : kWrongUse);
  bool shown = plan && session.explain(*plan, topic, llvm::outs());
  if (plan && !shown && !plan->choices.empty()) {
    session.sink().add(
        pipeline::open_plan_refused(plan->name, plan->span, plan->choices, "explained"));
    status = worse(status, kErrorsInPlans);
  } else if (plan && !shown && !plan->series.empty()) {
    session.sink().add(pipeline::series_refused(plan->name, plan->span, plan->series, "explained"));
    status = worse(status, kErrorsInPlans);
  } else if (plan && !shown && status == kClean) {
    complain(format("plan `{}` has no numbers to explain", neutral(plan->name)));
    status = kErrorsInPlans;
  }
  llvm::outs().flush();
  if (!shown || arguments.format != Format::full) print_findings(session, arguments, llvm::errs());
  return shown ? kClean : status;
}

}  // namespace dtp::driver

#include <llvm/Support/raw_ostream.h>

#include "driver/findings.h"
#include "driver/messages.h"

namespace dtp::driver {

ExitStatus why_command(const Arguments& arguments) {
  if (arguments.words.size() < 2) {
    complain("why takes a file and a path of its plan", "dtpc why dit.dtp batch.per_gpu");
    return kWrongUse;
  }
  auto& session = *new pipeline::Session(session_options(arguments));
  ExitStatus status = check_inputs({arguments.words.begin(), arguments.words.end() - 1}, session);
  // A plan with mistakes is often the one that is asked about.
  const pipeline::PlanResult* plan =
      status == kWrongUse ? nullptr : choose_plan(session, arguments);
  bool shown = plan && session.why(*plan, arguments.words.back(), llvm::outs());
  llvm::outs().flush();
  if (!shown) print_findings(session, arguments, llvm::errs());
  if (shown) return kClean;
  return worse(status, plan ? kErrorsInPlans : kWrongUse);
}

}  // namespace dtp::driver

#include <llvm/Support/raw_ostream.h>

#include "base/atomic_write.h"
#include "base/nearest_name.h"
#include "diagnostics/display.h"
#include "driver/findings.h"
#include "driver/messages.h"
#include "emit/target.h"

namespace dtp::driver {
namespace {

const emit::Target* choose_target(const Arguments& arguments) {
  std::vector<std::string_view> names;
  for (const emit::Target& target : emit::targets()) names.push_back(target.name);
  if (arguments.words.size() < 2) {
    complain("emit takes a target and files: dtpc emit torchrun dit.dtp",
             "targets: " + listed(names));
    return nullptr;
  }
  const std::string& name = arguments.words.front();
  if (const emit::Target* target = emit::find_target(name)) return target;
  complain("no target `" + neutral(name) + "`" + did_you_mean(nearest_name(name, names)),
           "targets: " + listed(names));
  return nullptr;
}

ExitStatus write_artifacts(const std::vector<emit::Artifact>& artifacts,
                           const Arguments& arguments) {
  ExitStatus status = kClean;
  for (const emit::Artifact& artifact : artifacts) {
    if (arguments.directory.empty()) {
      llvm::outs() << artifact.text;
      continue;
    }
    std::string folder = arguments.directory;
    if (folder.back() != '/') folder += '/';
    std::string error = write_file(folder + artifact.file_name, artifact.text,
                                   {artifact.executable, arguments.force});
    if (error.empty()) {
      if (!arguments.quiet)
        llvm::errs() << "wrote " << neutral(folder + artifact.file_name) << "\n";
      continue;
    }
    complain(neutral(error));
    status = kWrongUse;
  }
  return status;
}

// Without --plan a folder takes all plans, standard output only one.
std::vector<const pipeline::PlanResult*> choose_plans(pipeline::Session& session,
                                                      const Arguments& arguments) {
  std::vector<const pipeline::PlanResult*> chosen;
  if (arguments.plan.empty() && !arguments.directory.empty() && !session.plans().empty()) {
    for (const auto& plan : session.plans()) chosen.push_back(&plan);
  } else if (const pipeline::PlanResult* plan = choose_plan(session, arguments)) {
    chosen.push_back(plan);
  }
  return chosen;
}

}  // namespace

ExitStatus emit_command(const Arguments& arguments) {
  const emit::Target* target = choose_target(arguments);
  if (!target) return kWrongUse;
  auto& session = *new pipeline::Session(session_options(arguments));
  ExitStatus status = check_inputs({arguments.words.begin() + 1, arguments.words.end()}, session);
  // Nothing is emitted from plans with errors: what would be started is known not to work.
  std::vector<emit::Artifact> artifacts;
  if (status == kClean) {
    auto plans = choose_plans(session, arguments);
    if (plans.empty()) status = kWrongUse;
    for (const pipeline::PlanResult* plan : plans) {
      auto made = plan->settings ? target->emit(*plan->settings, session.sink()) : std::nullopt;
      if (!made) {
        status = worse(status, kErrorsInPlans);
        continue;
      }
      artifacts.insert(artifacts.end(), made->begin(), made->end());
    }
  }
  print_findings(session, arguments, llvm::errs());
  return status == kClean ? write_artifacts(artifacts, arguments) : status;
}

}  // namespace dtp::driver

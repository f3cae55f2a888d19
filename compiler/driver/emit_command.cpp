#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>

#include "base/nearest_name.h"
#include "base/out.h"
#include "diagnostics/display.h"
#include "driver/messages.h"
#include "driver/one_plan.h"
#include "driver/write_folder.h"
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

// What is written where, settled before anything is.
struct Output {
  const pipeline::PlanResult* plan;
  emit::Artifact artifact;
};

// Standard output takes the one file that is started; what belongs beside it needs a folder.
bool fits_standard_output(const std::vector<Output>& outputs, std::string_view target) {
  constexpr size_t kWithItsPage = 2;
  if (outputs.size() <= kWithItsPage) return true;
  std::string names;
  for (size_t i = 0; i + 1 < outputs.size(); ++i)
    names += (i == 0 ? "`" : ", `") + outputs[i].artifact.file_name + "`";
  complain(format("{} writes {}, and standard output takes one file", target, names),
           "-o <folder> takes them all");
  return false;
}

// Two plans must not write one file. False after a diagnostic.
bool refuse_clashes(const std::vector<Output>& outputs, DiagnosticSink& sink) {
  std::map<std::string_view, const pipeline::PlanResult*> owners;
  bool good = true;
  const pipeline::PlanResult* told = nullptr;  // each of its files has a file of that name
  for (const Output& output : outputs) {
    auto [owner, fresh] = owners.try_emplace(output.artifact.file_name, output.plan);
    if (fresh || told == output.plan) continue;
    good = false;
    told = output.plan;
    sink.add(DiagnosticBuilder(Kind::OutputTakenTwice, output.plan->span,
                               format("plans `{}` and `{}` would both be written to `{}`",
                                      neutral(owner->second->name), neutral(output.plan->name),
                                      output.artifact.file_name))
                 .label(owner->second->span, "the other one")
                 .note("nothing was written")
                 .help("give the plans names that differ, or emit them into two folders"));
  }
  return good;
}

ExitStatus write_outputs(const std::vector<Output>& outputs, const Arguments& arguments,
                         std::string_view target) {
  if (arguments.directory.empty()) {
    if (!fits_standard_output(outputs, target)) return kWrongUse;
    if (!outputs.empty()) llvm::outs() << outputs.front().artifact.text;
    return kClean;
  }
  std::vector<NewFile> files;
  files.reserve(outputs.size());
  for (const Output& output : outputs)
    files.push_back({output.artifact.file_name, output.artifact.text, output.artifact.executable});
  return write_folder(std::move(files), arguments);
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
  if (!arguments.plan.empty()) status = leave_out_others(session, arguments, status);
  // Nothing is emitted from plans with errors: what would be started is known not to work.
  std::vector<Output> outputs;
  if (status == kClean) {
    auto plans = choose_plans(session, arguments);
    if (plans.empty()) status = kWrongUse;
    for (const pipeline::PlanResult* plan : plans) {
      // Among all plans of a folder the runs of a series are emitted already.
      if (!plan->series.empty() && arguments.plan.empty() && plans.size() > 1) continue;
      if (!can_run(session, *plan, "emitted")) {
        status = worse(status, kErrorsInPlans);
        continue;
      }
      auto subject = session.subject(*plan);
      auto made = subject ? target->emit(*subject, session.sink()) : std::nullopt;
      if (!made) {
        status = worse(status, kErrorsInPlans);
        continue;
      }
      for (emit::Artifact& artifact : made->files) outputs.push_back({plan, std::move(artifact)});
    }
    if (!refuse_clashes(outputs, session.sink())) status = worse(status, kErrorsInPlans);
  }
  print_findings(session, arguments, llvm::errs());
  return status == kClean ? write_outputs(outputs, arguments, target->name) : status;
}

}  // namespace dtp::driver

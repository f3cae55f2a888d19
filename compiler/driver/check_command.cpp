#include <llvm/Support/raw_ostream.h>

#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "base/out.h"
#include "diagnostics/display.h"
#include "diagnostics/verify.h"
#include "driver/findings.h"
#include "driver/fix_files.h"
#include "driver/messages.h"

namespace dtp::driver {
namespace {

ExitStatus verify_findings(pipeline::Session& session, ExitStatus status) {
  const auto& all = session.sink().diagnostics();
  VerifyResult result = verify(all, session.sources(), llvm::outs());
  llvm::outs() << format("{} met, {} failed\n", result.expected, result.failed);
  // Errors that were expected are no errors of the test; files that cannot be read are still wrong
  // use.
  if (status == kErrorsInPlans) status = kClean;
  return result.failed > 0 ? worse(status, kErrorsInPlans) : status;
}

// What was estimated says what it comes to, whether it holds or not: a line a plan, more where it
// holds. Of what failed the diagnostics tell the rest. A plan with a requirement that is neither
// proved nor refuted, or that leaves something to be chosen, is not called ok.
void print_plans(pipeline::Session& session, bool concise, llvm::raw_ostream& out) {
  std::map<std::string_view, std::set<uint32_t>> files;  // that have a plan of the name
  for (const auto& plan : session.plans()) files[plan.name].insert(plan.span.file.value);
  for (const auto& plan : session.plans()) {
    if (plan.asks > 0)
      out << format("unfinished {}: {} `?` {} to be filled in\n", neutral(plan.name), plan.asks,
                    plan.asks == 1 ? "is" : "are");
    if (plan.headline.empty() || plan.asks > 0) continue;
    bool failed = !plan.ok && plan.choices.empty();
    const char* word = failed ? "failed " : plan.open ? "open " : "ok ";
    out << word << neutral(plan.name);
    if (files[plan.name].size() > 1)
      out << " (" << neutral(session.sources().name(plan.span.file)) << ")";
    out << ": " << neutral(plan.headline) << "\n";
    if (!failed && !concise && !plan.variant) out << neutral(plan.summary, true);
    if (!plan.together.empty()) out << "   " << neutral(plan.together) << "\n";
  }
}

// Silence would read as if a plan had been checked.
void note_no_plan(pipeline::Session& session, const std::vector<std::string>& words,
                  llvm::raw_ostream& out) {
  if (!session.plans().empty() || !session.sink().diagnostics().empty()) return;
  std::string_view where = words.size() != 1 ? "what was read"
                           : words[0] == "-" ? "the standard input"
                                             : std::string_view(words[0]);
  out << "note: no plan in " << neutral(where) << "\n";
}

// Before the check that is told. Nothing: the check is still to be made.
std::optional<ExitStatus> fix_first(const Arguments& arguments) {
  if (arguments.diff && !arguments.fix) {
    complain("--diff shows what --fix would change: give both");
    return kWrongUse;
  }
  if (!arguments.fix) return std::nullopt;
  if (!arguments.settings.empty()) {
    complain("--fix changes the text, and -D sets a field from outside: take one of them");
    return kWrongUse;
  }
  ExitStatus status = fix_files(arguments);
  if (arguments.diff || status != kClean) return status;
  return std::nullopt;
}

}  // namespace

ExitStatus check_command(const Arguments& arguments) {
  if (arguments.words.empty()) {
    complain("check needs files, folders or `-` (dtpc check --help)");
    return kWrongUse;
  }
  if (auto status = fix_first(arguments)) return *status;
  // Never destroyed: the process ends by _exit, and freeing trees costs more than making them.
  auto& session = *new pipeline::Session(session_options(arguments));
  std::vector<Input> inputs = chosen_inputs(arguments);
  bool none = inputs.empty();
  ExitStatus status = check_texts(std::move(inputs), session);
  if (!arguments.dump.empty()) {
    session.dump(arguments.dump, llvm::outs());
    print_findings(session, arguments, llvm::errs());
    return status;
  }
  if (arguments.verify) return verify_findings(session, status);
  bool for_people = arguments.format == Format::full || arguments.format == Format::concise;
  if (for_people && !arguments.quiet)
    print_plans(session, arguments.format == Format::concise, llvm::outs());
  if (for_people && !arguments.quiet && none)
    llvm::outs() << "note: nothing here is or reads what was touched\n";
  else if (for_people && !arguments.quiet)
    note_no_plan(session, arguments.words, llvm::outs());
  print_findings(session, arguments, llvm::outs());
  return status;
}

}  // namespace dtp::driver

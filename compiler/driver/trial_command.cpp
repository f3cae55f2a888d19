// Runs a plan for some steps, as the one subcommand that runs a program, and shows what was
// predicted beside what was measured.
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <filesystem>

#include "base/atomic_write.h"
#include "base/out.h"
#include "diagnostics/display.h"
#include "driver/find_trainer.h"
#include "driver/measurements.h"
#include "driver/messages.h"
#include "driver/one_plan.h"
#include "driver/run_programs.h"
#include "emit/shell_quote.h"
#include "units/print.h"

namespace dtp::driver {
namespace {

namespace fs = std::filesystem;

constexpr int kStopped = 75;  // of the trainer: by a signal (runtime/README.md)

// The names in the folder of a trial.
struct Places {
  explicit Places(fs::path where) : folder(std::move(where)) {}
  fs::path folder;
  std::string config() const { return (folder / "training.json").string(); }
  std::string measured() const { return (folder / "measured.json").string(); }
  std::string run() const { return (folder / "run").string(); }
};

// Removes what a trainer left. The weights of a trial are worth nothing, and take much room.
void remove_weights(const Places& places) {
  fs::path run = places.run();
  std::error_code ignored;
  for (const char* name : {"model.safetensors", "average.safetensors"})
    fs::remove(run / name, ignored);
  for (fs::directory_iterator entry(run / "checkpoints", ignored), end; entry != end;
       entry.increment(ignored))
    if (entry->path().filename().string().starts_with("step-")) fs::remove(entry->path(), ignored);
  fs::remove(run / "checkpoints", ignored);
}

// False after a message: results that exist are kept.
bool make_room(const Places& places, bool force) {
  std::error_code ignored;
  for (const std::string& path : {places.measured(), places.run()})
    if (!force && fs::exists(path, ignored)) {
      complain("`" + neutral(places.folder.string()) + "` holds the results of an earlier trial",
               "--force replaces them, -o names another folder");
      return false;
    }
  remove_weights(places);
  fs::remove(places.measured(), ignored);
  std::string error = make_folder(places.folder.string());
  if (!error.empty()) complain(neutral(error));
  return error.empty();
}

// The config as the target writes it; empty after a report.
std::string config_of(const emit::Subject& plan, DiagnosticSink& sink) {
  auto made = emit::find_target("libtorch")->emit(plan, sink);
  if (made)
    for (emit::Artifact& file : made->files)
      if (file.file_name == "training.json") return std::move(file.text);
  return {};
}

// One a rank, each told its number as torchrun would.
std::vector<Program> programs_of(const std::string& trainer, const Places& places,
                                 const plan::Settings& s, const Arguments& arguments) {
  Program one;
  one.words = {trainer,     places.config(),
               "--out",     places.run(),
               "--steps",   std::to_string(arguments.steps),
               "--measure", places.measured(),
               "--device",  s.framework.backend == "cpu" ? "cpu" : "cuda"};
  auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) one.words.insert(one.words.end(), {flag, value});
  };
  add("--data", arguments.data);
  add("--threads", arguments.threads ? std::to_string(*arguments.threads) : "");
  if (arguments.quiet) one.words.emplace_back("--quiet");
  int ranks = s.hardware.gpus();
  std::vector<Program> all(static_cast<size_t>(ranks), one);
  for (int rank = 0; ranks > 1 && rank < ranks; ++rank)
    all[static_cast<size_t>(rank)].environment = {
        {"RANK", std::to_string(rank)},        {"LOCAL_RANK", std::to_string(rank)},
        {"WORLD_SIZE", std::to_string(ranks)}, {"LOCAL_WORLD_SIZE", std::to_string(ranks)},
        {"MASTER_ADDR", "127.0.0.1"},          {"MASTER_PORT", "29500"}};
  return all;
}

// Says how the trainer ended, where that was not well. Whether it measured anything is seen by the
// file.
ExitStatus tell_end(const ProgramsEnd& end, const std::string& trainer) {
  std::string what = "`" + neutral(trainer) + "` ";
  if (!end.error.empty())
    complain(neutral(end.error));
  else if (end.signal != 0)
    complain(what + "was ended by signal " + std::to_string(end.signal) + " (" +
             ::strsignal(end.signal) + ")");
  else if (end.status == kStopped)
    complain(what + "was stopped before all steps were done (exit status 75)");
  else if (end.status != 0)
    complain(what + "ended with exit status " + std::to_string(end.status));
  else
    return kClean;
  return kToolFailed;
}

// `dtpc calibrate` for what was measured, as it is to be typed.
std::string next_command(const std::string& file, const Places& places,
                         const Arguments& arguments) {
  std::string out = "dtpc calibrate " + emit::shell_quote(std::string_view(file)) + " " +
                    emit::shell_quote(std::string_view(places.measured()));
  if (!arguments.plan.empty())
    out += " --plan " + emit::shell_quote(std::string_view(arguments.plan));
  for (const pipeline::Setting& s : arguments.settings)
    out += " -D " + emit::shell_quote(std::string_view(s.path + "=" + s.value));
  fs::path record = fs::path(file).replace_extension(".measured.dtp");
  return out + " -o " + emit::shell_quote(std::string_view(record.string()));
}

void announce(const emit::Subject& plan, const Arguments& arguments, const Places& places,
              const units::UnitTable& units) {
  Interval all =
      scale(static_cast<double>(arguments.steps), plan.outcome.estimates.time.step.value);
  llvm::errs() << format("{} of `{}` into {}: about {}\n", counted(arguments.steps, "step"),
                         neutral(plan.settings.plan_name), neutral(places.folder.string()),
                         units::print_interval(units, all, units::kTimeDimension));
}

ExitStatus run_trial(pipeline::Session& session, const emit::Subject& plan,
                     const Arguments& arguments) {
  const plan::Settings& s = plan.settings;
  if (s.hardware.nodes > 1) {
    complain(format("plan `{}` takes {} nodes, and a trial runs on this one", neutral(s.plan_name),
                    s.hardware.nodes),
             "dtpc emit libtorch writes the config; dtp-train --measure measures it there");
    return kWrongUse;
  }
  std::string config = config_of(plan, session.sink());
  if (config.empty()) return kErrorsInPlans;
  std::string trainer = find_trainer(arguments.trainer);
  if (trainer.empty()) return kWrongUse;
  Places places(arguments.directory.empty() ? s.plan_name + ".trial" : arguments.directory);
  if (!make_room(places, arguments.force)) return kWrongUse;
  WriteOptions replace;
  replace.force = true;
  if (std::string error = write_file(places.config(), config, replace); !error.empty()) {
    complain(neutral(error));
    return kWrongUse;
  }
  if (!arguments.quiet) announce(plan, arguments, places, session.units());
  llvm::errs().flush();
  ExitStatus status = tell_end(run_programs(programs_of(trainer, places, s, arguments)), trainer);
  remove_weights(places);
  std::error_code ignored;
  if (!fs::exists(places.measured(), ignored)) return worse(status, kToolFailed);
  ExitStatus read = kClean;
  auto measured = read_measurements(session, plan, places.measured(), arguments, read);
  if (!measured) return worse(status, read);
  llvm::outs() << measured_beside_predicted(*measured, plan, session.units());
  if (!arguments.quiet)
    llvm::outs() << "next: " << next_command(arguments.words.front(), places, arguments) << "\n";
  return status;
}

}  // namespace

ExitStatus trial_command(const Arguments& arguments) {
  if (arguments.words.size() != 1 || arguments.words.front() == "-") {
    complain("trial takes one file: dtpc trial dit.dtp");
    return kWrongUse;
  }
  auto& session = *new pipeline::Session(session_options(arguments));
  ExitStatus status = kClean;
  const pipeline::PlanResult* plan =
      one_plan(session, arguments.words.front(), arguments, "tried", status);
  auto subject = plan ? session.subject(*plan) : std::nullopt;
  if (subject) status = run_trial(session, *subject, arguments);
  print_findings(session, arguments, llvm::errs());
  return status;
}

}  // namespace dtp::driver

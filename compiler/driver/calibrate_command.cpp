// Makes a record of what was measured, which the plan cites so that its estimates are sharper.
#include <llvm/Support/raw_ostream.h>

#include <chrono>
#include <filesystem>

#include "base/atomic_write.h"
#include "base/out.h"
#include "diagnostics/display.h"
#include "driver/measurements.h"
#include "driver/messages.h"
#include "driver/one_plan.h"
#include "trial/comparison.h"
#include "trial/record_text.h"

namespace dtp::driver {
namespace {

namespace fs = std::filesystem;

// The day in UTC on which a file was written; a table says none.
std::string day_of(const std::string& path) {
  std::error_code error;
  auto written = fs::last_write_time(path, error);
  if (error) return {};
  std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::file_clock::to_sys(written)));
  return format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

void say_origin(trial::Measurement& m, const std::string& path, const Arguments& arguments) {
  if (!arguments.machine.empty()) m.machine = arguments.machine;
  if (!arguments.date.empty()) m.date = arguments.date;
  if (m.machine.empty()) m.machine = "a machine that nobody named";
  if (m.date.empty()) m.date = day_of(path);
}

// How the plan takes the record in.
std::string citing(const std::string& record) {
  std::string name = record.empty() ? "dit.measured.dtp" : fs::path(record).filename().string();
  return format(
      "to use it, write in the plan's file:\n  import \"{}\" as measured\nand in the plan:\n  "
      "calibration = [measured.trial]\n",
      neutral(name));
}

ExitStatus write_record(const std::string& record, const Arguments& arguments) {
  if (arguments.directory.empty()) {
    llvm::outs() << record;
    return kClean;
  }
  WriteOptions options;
  options.force = arguments.force;
  std::string error = write_file(arguments.directory, record, options);
  if (error.empty()) return kClean;
  complain(neutral(error));
  return kWrongUse;
}

ExitStatus calibrate(pipeline::Session& session, const emit::Subject& plan,
                     const Arguments& arguments) {
  const std::string& path = arguments.words.back();
  ExitStatus status = kClean;
  auto measured = read_measurements(session, plan, path, arguments, status);
  if (!measured) return status;
  say_origin(*measured, path, arguments);
  status = write_record(trial::record_text(*measured, plan.outcome, path), arguments);
  if (status != kClean) return status;
  // Standard output holds the record, where no file is named.
  llvm::raw_ostream& out = arguments.directory.empty() ? llvm::errs() : llvm::outs();
  if (arguments.quiet) return kClean;
  out << measured_beside_predicted(*measured, plan, session.units()) << "estimates:\n"
      << trial::changes_text(plan.outcome.estimated_alone(),
                             trial::calibrated(*measured, plan.outcome), session.units());
  if (!arguments.directory.empty()) out << "wrote " << neutral(arguments.directory) << "\n";
  out << citing(arguments.directory);
  return kClean;
}

}  // namespace

ExitStatus calibrate_command(const Arguments& arguments) {
  if (arguments.words.size() != 2 || arguments.words.front() == "-") {
    complain("calibrate takes the file of a plan and one of measurements",
             "dtpc calibrate dit.dtp dit.trial/measured.json");
    return kWrongUse;
  }
  auto& session = *new pipeline::Session(session_options(arguments));
  ExitStatus status = kClean;
  const pipeline::PlanResult* plan =
      one_plan(session, arguments.words.front(), arguments, "calibrated", status);
  auto subject = plan ? session.subject(*plan) : std::nullopt;
  if (subject) status = calibrate(session, *subject, arguments);
  print_findings(session, arguments, llvm::errs());
  return status;
}

}  // namespace dtp::driver

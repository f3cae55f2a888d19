#include "driver/measurements.h"

#include "base/out.h"
#include "base/read_file.h"
#include "diagnostics/display.h"
#include "trial/comparison.h"
#include "trial/same_plan.h"

namespace dtp::driver {

std::optional<trial::Measurement> read_measurements(pipeline::Session& session,
                                                    const emit::Subject& plan,
                                                    const std::string& path,
                                                    const Arguments& arguments,
                                                    ExitStatus& status) {
  ReadResult read = read_file(path);
  if (!read.ok()) {
    session.sink().add(DiagnosticBuilder(
        Kind::UnreadableFile, {}, format("cannot read `{}`: {}", neutral(path), read.error)));
    status = kWrongUse;
    return std::nullopt;
  }
  const plan::Settings& s = plan.settings;
  trial::ReadOptions options;
  options.warm_up = arguments.warm_up;
  options.samples_a_step = s.batch.global;
  options.recomputes = s.recompute != plan::Recompute::none;
  options.spread = s.hardware.gpus() > 1;
  FileId file = session.sources().add(path, std::move(read.text));
  auto measured =
      trial::read_measurement(file, path, session.sources().text(file), options, session.sink());
  if (measured && trial::is_of_plan(*measured, plan.outcome, session.sink())) return measured;
  status = kErrorsInPlans;
  return std::nullopt;
}

std::string measured_beside_predicted(const trial::Measurement& m, const emit::Subject& plan,
                                      const units::UnitTable& units) {
  std::string where = m.machine.empty() ? "" : " on " + neutral(m.machine);
  std::string when = m.date.empty() ? "" : ", " + m.date;
  std::string out =
      format("{}: {}{}{}; {} before them left out\n", neutral(plan.settings.plan_name),
             counted(m.steps, "step"), where, when, counted(m.left_out, "step"));
  return out + trial::comparison_text(m, trial::compare(m, plan.outcome, units));
}

}  // namespace dtp::driver

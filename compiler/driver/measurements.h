// What `trial` and `calibrate` do with a file of measurements.
#pragma once
#include <optional>
#include <string>

#include "driver/command_line.h"
#include "emit/target.h"
#include "pipeline/session.h"
#include "trial/measurement.h"

namespace dtp::driver {

// The measurements of the file, if they are of the plan. Nothing after a report, with the status.
std::optional<trial::Measurement> read_measurements(pipeline::Session& session,
                                                    const emit::Subject& plan,
                                                    const std::string& path,
                                                    const Arguments& arguments, ExitStatus& status);

// "small: 499 steps on host, 2026-11-30, the first left out", and below it each figure beside what
// is predicted.
std::string measured_beside_predicted(const trial::Measurement& measurement,
                                      const emit::Subject& plan, const units::UnitTable& units);

}  // namespace dtp::driver

// The one plan of a file that a subcommand works with.
#pragma once
#include "driver/findings.h"

namespace dtp::driver {

// With --plan the others of the file are not judged: an alternative that does not fit blocks
// nothing. What is wrong with the file still does. Gives the status that is left.
ExitStatus leave_out_others(pipeline::Session& session, const Arguments& arguments,
                            ExitStatus status);

// Whether the plan leaves nothing to be chosen and is no series; false after a report.
// `purpose`: what cannot be done with it, "emitted".
bool can_run(pipeline::Session& session, const pipeline::PlanResult& plan, const char* purpose);

// Checks the file and gives its plan, or that of --plan. Null after a report, with the status.
const pipeline::PlanResult* one_plan(pipeline::Session& session, const std::string& file,
                                     const Arguments& arguments, const char* purpose,
                                     ExitStatus& status);

}  // namespace dtp::driver

// What every subcommand does around its own work: texts in, diagnostics out.
#pragma once
#include "driver/command_line.h"
#include "driver/inputs.h"
#include "pipeline/session.h"

namespace llvm {
class raw_ostream;
}

namespace dtp::driver {

pipeline::Options session_options(const Arguments& arguments);

// Reads and checks everything that `words` name. What cannot be read is a diagnostic of its own,
// and wrong use.
ExitStatus check_texts(std::vector<Input> inputs, pipeline::Session& session);
ExitStatus check_inputs(const std::vector<std::string>& words, pipeline::Session& session);

// Diagnostics in the format that was asked for, sorted; for people at most ten of a kind and a
// closing line.
void print_findings(pipeline::Session& session, const Arguments& arguments, llvm::raw_ostream& out);

// The plan that `--plan` names, or the only one. Null after a diagnostic.
const pipeline::PlanResult* choose_plan(pipeline::Session& session, const Arguments& arguments);

// Whether `out` is to be coloured, and how wide it is.
bool wants_color(Color color, bool is_terminal);

}  // namespace dtp::driver

#include "driver/fix_files.h"

#include <llvm/Support/raw_ostream.h>

#include "base/out.h"
#include "diagnostics/display.h"
#include "driver/findings.h"
#include "driver/inputs.h"
#include "driver/messages.h"
#include "driver/replace_file.h"
#include "format/diff.h"
#include "pipeline/fix.h"

namespace dtp::driver {
namespace {

void tell(const Input& input, const pipeline::Fixed& fixed, llvm::raw_ostream& out) {
  out << "fixed " << neutral(input.name) << "\n";
  for (const std::string& words : fixed.made) out << "  " << neutral(words) << "\n";
}

}  // namespace

ExitStatus fix_files(const Arguments& arguments) {
  ExitStatus status = kClean;
  bool for_people = arguments.format == Format::full || arguments.format == Format::concise;
  for (Input& input : chosen_inputs(arguments)) {
    std::string text;
    if (!read_input(input, text)) continue;  // told by the check
    if (input.path.empty() && !arguments.diff) {
      complain("--fix writes files, and the standard input is none",
               "--fix --diff prints what would change");
      return kWrongUse;
    }
    pipeline::Fixed fixed = pipeline::fix(session_options(arguments), input.name, input.path, text);
    if (fixed.text == text) continue;
    if (arguments.diff) {
      llvm::outs() << style::unified_diff(input.name, text, fixed.text);
      continue;
    }
    ExitStatus written = replace_file(input, fixed.text);
    status = worse(status, written);
    if (for_people && !arguments.quiet && written == kClean) tell(input, fixed, llvm::outs());
  }
  return status;
}

}  // namespace dtp::driver

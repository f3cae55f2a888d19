#include "driver/write_folder.h"

#include <llvm/Support/raw_ostream.h>

#include "diagnostics/display.h"
#include "driver/messages.h"

namespace dtp::driver {

ExitStatus write_folder(std::vector<NewFile> files, const Arguments& arguments) {
  std::string folder = arguments.directory;
  if (folder.back() != '/') folder += '/';
  for (NewFile& file : files) file.path = folder + file.path;
  std::string error = make_folder(arguments.directory);
  if (error.empty()) error = write_files(files, arguments.force);
  if (!error.empty()) {
    complain(neutral(error), files.size() > 1 ? "nothing was written" : "");
    return kWrongUse;
  }
  for (const NewFile& file : files)
    if (!arguments.quiet) llvm::errs() << "wrote " << neutral(file.path) << "\n";
  return kClean;
}

}  // namespace dtp::driver

#include "driver/find_trainer.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>

#include <cstdlib>

#include "diagnostics/display.h"
#include "driver/messages.h"

namespace dtp::driver {
namespace {

constexpr const char kName[] = "dtp-train";
// From the folder of dtpc: installed beside it, or in a build tree.
constexpr const char* kBeside[] = {".", "../runtime", "../../runtime"};

std::string own_folder() {
  llvm::SmallString<256> self;
  if (llvm::sys::fs::real_path("/proc/self/exe", self)) return {};
  return llvm::sys::path::parent_path(self).str();
}

}  // namespace

std::string find_trainer(const std::string& named) {
  const char* variable = std::getenv("DTP_TRAIN");
  for (const auto& [what, path] : {std::pair{"--trainer", named},
                                   std::pair{"DTP_TRAIN", std::string(variable ? variable : "")}}) {
    if (path.empty()) continue;
    if (llvm::sys::fs::can_execute(path)) return path;
    complain(std::string(what) + " names `" + neutral(path) + "`, which is no program");
    return {};
  }
  if (std::string folder = own_folder(); !folder.empty())
    for (const char* beside : kBeside) {
      llvm::SmallString<256> path(folder);
      llvm::sys::path::append(path, beside, kName);
      llvm::sys::path::remove_dots(path, true);
      if (llvm::sys::fs::can_execute(path)) return std::string(path);
    }
  if (auto found = llvm::sys::findProgramByName(kName)) return *found;
  complain("a trial needs the trainer dtp-train, which is neither beside dtpc nor on the path",
           "build it: cmake -S runtime -B build-runtime && cmake --build build-runtime; then "
           "--trainer or $DTP_TRAIN names build-runtime/dtp-train (runtime/README.md)");
  return {};
}

}  // namespace dtp::driver

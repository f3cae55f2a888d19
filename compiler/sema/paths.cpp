#include "sema/paths.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace dtp::sema {

std::string resolved(const std::string& path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real)) return {};
  return std::string(real);
}

std::string root_of(const std::string& folder) {
  for (llvm::SmallString<256> at(folder); !at.empty();) {
    llvm::SmallString<256> project(at);
    llvm::sys::path::append(project, llvm::StringRef(kProjectFile.data(), kProjectFile.size()));
    if (llvm::sys::fs::exists(project)) return std::string(at);
    llvm::StringRef parent = llvm::sys::path::parent_path(at);
    if (parent.empty() || parent == at) break;
    at = llvm::SmallString<256>(parent);
  }
  return folder;
}

bool is_inside(std::string_view path, std::string_view root) {
  return path == root || (path.size() > root.size() && path.substr(0, root.size()) == root &&
                          (root.back() == '/' || path[root.size()] == '/'));
}

}  // namespace dtp::sema

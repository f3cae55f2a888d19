#include "sema/importers.h"

#include <filesystem>

#include "base/read_file.h"
#include "base/source_manager.h"
#include "base/symbol.h"
#include "sema/lowering.h"
#include "sema/paths.h"
#include "syntax/parse.h"

namespace dtp::sema {

namespace fs = std::filesystem;

std::string Importers::identity(const std::string& path) {
  std::error_code error;
  // A relative path of which nothing exists would stay relative.
  fs::path absolute = fs::absolute(path, error);
  fs::path whole = fs::weakly_canonical(absolute, error);
  return (error ? absolute.lexically_normal() : whole).string();
}

// The identities of what a file imports by path.
std::vector<std::string> Importers::read_by(const std::string& file) const {
  std::vector<std::string> read;
  std::error_code ignored;
  if (fs::path(file).extension() != ".dtp" || !fs::is_regular_file(file, ignored)) return read;
  ReadResult text = read_file(file);
  if (!text.ok()) return read;
  SourceManager sources;
  Interner names;
  llvm::BumpPtrAllocator arena;
  CollectingSink told_later;
  FileId id = sources.add(file, std::move(text.text));
  syntax::Tree tree = syntax::parse(id, sources.text(id), told_later);
  Lowerer lowerer(tree, names, arena, told_later);
  fs::path folder = fs::path(file).parent_path();
  for (syntax::NodeId node : tree.children(tree.root())) {
    if (tree.kind(node) != syntax::NodeKind::Import) continue;
    syntax::NodeId target = tree.child(node, 0);
    if (tree.kind(target) == syntax::NodeKind::String)
      read.push_back(identity((folder / lowerer.string_text(target)).string()));
  }
  return read;
}

void Importers::add(const std::string& path) {
  std::vector<std::string> next{identity(path)};
  while (!next.empty()) {
    std::string file = std::move(next.back());
    next.pop_back();
    if (!files_.insert(file).second) continue;
    for (std::string& read : read_by(file)) {
      readers_[read].push_back(file);
      next.push_back(std::move(read));
    }
    std::string root = root_of(fs::path(file).parent_path().string());
    next.push_back((fs::path(root) / kProjectFile).string());
  }
}

llvm::StringSet<> Importers::reached_by(llvm::ArrayRef<std::string> touched) const {
  llvm::StringSet<> reached;
  std::vector<std::string> next;
  for (const std::string& path : touched) next.push_back(identity(path));
  while (!next.empty()) {
    std::string at = std::move(next.back());
    next.pop_back();
    if (!reached.insert(at).second) continue;
    if (auto readers = readers_.find(at); readers != readers_.end())
      next.insert(next.end(), readers->second.begin(), readers->second.end());
    // It holds for all files below, where it has come or gone as well: their root is another then.
    fs::path path(at);
    if (path.filename() != kProjectFile) continue;
    for (const std::string& file : files_)
      if (is_inside(file, path.parent_path().string())) next.push_back(file);
  }
  return reached;
}

}  // namespace dtp::sema

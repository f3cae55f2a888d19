// What an import that finds nothing most likely means.
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "base/other_words.h"
#include "base/out.h"
#include "sema/loader.h"
#include "sema/paths.h"

namespace dtp::sema {
namespace {

std::string_view last_word(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string listed(const std::vector<std::string>& names, std::string_view between) {
  std::string out;
  for (const std::string& n : names) out += format("{}`{}`", out.empty() ? "" : between, n);
  return out;
}

}  // namespace

// `nvidia` and `std.nvidia` are std.hardware.nvidia, `std.models` is a folder of files.
void Loader::propose_library(DiagnosticBuilder& message, std::string_view wanted, Span span) const {
  if (is_foreign_library(wanted.substr(0, wanted.find('.')))) {
    message.note(
        "Python's modules are not imported: what a plan trains is declared in .dtp files, such as "
        "`import std.models.dit`");
    return;
  }
  std::vector<std::string> names = library_.module_names();
  std::vector<std::string> inside;
  std::vector<std::string> called_so;
  std::vector<std::string> shelf;
  std::string folder = std::string(wanted) + ".";
  std::string_view neighbours = wanted.substr(0, wanted.rfind('.') + 1);
  for (const std::string& n : names) {
    if (n.starts_with(folder)) inside.push_back(n);
    if (last_word(n) == last_word(wanted)) called_so.push_back(n);
    if (!neighbours.empty() && n.starts_with(neighbours)) shelf.push_back(n);
  }
  if (!inside.empty()) {
    message.help(format("that is a folder: import a file of it, {}", listed(inside, " or ")));
    return;
  }
  std::vector<std::string_view> known(names.begin(), names.end());
  std::string_view near =
      called_so.size() == 1 ? std::string_view(called_so[0]) : nearest_name(wanted, known);
  if (called_so.size() > 1)
    message.help(format("did you mean {}?", listed(called_so, " or ")));
  else if (!near.empty())
    message.help(format("did you mean `{}`?", near), span, std::string(near));
  else if (!shelf.empty())
    message.note("there is " + listed(shelf, ", "));
  else
    message.note(
        "library files start with `std.`; a file of your own is imported by its path: import "
        "\"models/mine.dtp\"");
}

// "std.hardware.nvidia" and "std/hardware/nvidia.dtp" name a file of the library.
void Loader::propose_path(DiagnosticBuilder& message, std::string_view relative, Span span) const {
  std::string dotted(relative);
  if (dotted.ends_with(".dtp")) dotted.resize(dotted.size() - 4);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  for (const std::string& name : library_.module_names()) {
    if (name != dotted && last_word(name) != dotted) continue;
    message.help(
        format("a file of the library is imported by name, without quotes: `import {}`", name),
        span, name);
    return;
  }
}

// "models/speech.dtp" from a file in plans/: the same path from a folder above, inside the root.
bool Loader::propose_above(DiagnosticBuilder& message, const File& from, std::string_view relative,
                           Span span) {
  std::string path(relative);
  llvm::SmallString<256> folder(from.folder);
  while (folder.size() > from.root.size()) {
    llvm::sys::path::remove_filename(folder);
    path = "../" + path;
    llvm::SmallString<256> whole(folder);
    llvm::sys::path::append(whole, llvm::StringRef(relative.data(), relative.size()));
    std::string real = resolved(std::string(whole));
    if (real.empty() || !is_inside(real, from.root) || !llvm::sys::fs::is_regular_file(real))
      continue;
    message.help(format("did you mean \"{}\"?", path), span, format("\"{}\"", path));
    return true;
  }
  return false;
}

// A file in the folder that the path leads to, of nearly that name: "mien.dtp" for "mine.dtp".
// `relative` leads inside the root.
void Loader::propose_neighbour(DiagnosticBuilder& message, const File& from,
                               std::string_view relative, Span span) {
  constexpr size_t kMostSeen = 1000;
  llvm::SmallString<256> folder(from.folder);
  llvm::sys::path::append(folder, llvm::StringRef(relative.data(), relative.size()));
  llvm::sys::path::remove_filename(folder);
  size_t name_at = relative.rfind('/') + 1;  // 0 without a slash
  std::vector<std::string> names;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end;
       !error && entry != end && names.size() < kMostSeen; entry.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(entry->path());
    if (name.ends_with(".dtp") && !name.starts_with(".")) names.push_back(name.str());
  }
  std::sort(names.begin(), names.end());
  std::vector<std::string_view> known(names.begin(), names.end());
  std::string_view wanted = relative.substr(name_at);
  std::string_view near = nearest_name(wanted, known);
  std::string with_ending = std::string(wanted) + ".dtp";
  if (near.empty() && std::find(known.begin(), known.end(), with_ending) != known.end())
    near = with_ending;
  if (near.empty()) return;
  std::string path = std::string(relative.substr(0, name_at)) + std::string(near);
  message.help(format("did you mean \"{}\"?", path), span, format("\"{}\"", path));
}

}  // namespace dtp::sema

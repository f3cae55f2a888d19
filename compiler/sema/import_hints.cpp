// What an import that finds nothing most likely means.
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

#include "base/nearest_name.h"
#include "base/other_words.h"
#include "base/out.h"
#include "sema/loader.h"

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

// "std.hardware.nvidia" and "std/hardware/nvidia.dtp" name a file of the library; else one that is
// called nearly so may lie in the same folder.
void Loader::propose_path(DiagnosticBuilder& message, std::string_view relative,
                          const std::string& whole, Span span) const {
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
  constexpr size_t kMostFiles = 1000;
  std::vector<std::string> beside;
  std::error_code failed;
  for (llvm::sys::fs::directory_iterator at(llvm::sys::path::parent_path(whole), failed), end;
       !failed && at != end && beside.size() < kMostFiles; at.increment(failed))
    if (llvm::sys::path::extension(at->path()) == ".dtp")
      beside.emplace_back(llvm::sys::path::filename(at->path()));
  std::sort(beside.begin(), beside.end());
  std::vector<std::string_view> known(beside.begin(), beside.end());
  std::string_view wanted = relative.substr(relative.rfind('/') + 1);
  std::string_view near = nearest_name(wanted, known);
  if (near.empty()) return;
  std::string path = std::string(relative.substr(0, relative.size() - wanted.size()));
  path += near;
  message.help(format("did you mean \"{}\"?", path), span, '"' + path + '"');
}

}  // namespace dtp::sema

// Files of the author's that an import names by path: .dtp files, and JSON as data.
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

#include "base/out.h"
#include "base/read_file.h"
#include "sema/json_data.h"
#include "sema/loader.h"
#include "sema/paths.h"
#include "syntax/parse.h"

namespace dtp::sema {
namespace {

// Deeper or more is no project of anybody: a generator has run away.
constexpr size_t kMostDepth = 64;
constexpr size_t kMostFiles = 2000;

bool is_identifier(std::string_view word) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (word.empty() || !letter(word[0])) return false;
  return std::all_of(word.begin(), word.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

void Loader::import_path(File& from, std::string_view relative, bool named, lang::Import& import) {
  std::string real = importable(from, relative, import.span);
  if (real.empty()) return;
  if (!relative.ends_with(".json")) {
    import.module = import_file(from, relative, real, import.span);
    return;
  }
  std::string stem = llvm::sys::path::stem(real).str();
  if (!named && !is_identifier(stem)) {
    sink().add(DiagnosticBuilder(Kind::ImportNameTaken, import.span,
                                 format("`{}` is no name that an expression can use", stem))
                   .help(format("give the import one: `import \"{}\" as config`", relative)));
    return;
  }
  import.data = import_data(from, relative, real, import.span);
}

// The file that is meant, resolved; empty after a report.
std::string Loader::importable(const File& from, std::string_view relative, Span span) {
  auto fail = [&](Kind kind, std::string text) -> std::string {
    sink().add(DiagnosticBuilder(kind, span, std::move(text)));
    return {};
  };
  auto outside = [&] {
    sink().add(
        DiagnosticBuilder(
            Kind::ImportOutsideRoot, span,
            format("\"{}\" lies outside this project's folder, which is all that may be read",
                   relative))
            .help("a file `project.dtp` in a folder makes it, and all below it, one project"));
    return std::string();
  };
  if (from.module.is_library)
    return fail(Kind::ImportOutsideRoot, "a library file imports library files only");
  if (relative.find('\0') != std::string_view::npos || relative.empty())
    return fail(Kind::UnknownImport, "an import needs the path of a file");
  if (relative.front() == '/')
    return fail(Kind::ImportOutsideRoot,
                "an import is a path relative to this file, not an absolute one");
  llvm::SmallString<256> whole(from.folder);
  llvm::sys::path::append(whole, llvm::StringRef(relative.data(), relative.size()));
  std::string real = resolved(std::string(whole));
  if (real.empty()) {
    // Of what lies outside, not even whether it exists is told.
    llvm::SmallString<256> plain(whole);
    llvm::sys::path::remove_dots(plain, true);
    if (!is_inside(std::string_view(plain.data(), plain.size()), from.root)) return outside();
    auto builder = DiagnosticBuilder(Kind::UnknownImport, span,
                                     format("there is no file \"{}\" beside this one", relative));
    propose_path(builder, relative, span);
    if (!propose_above(builder, from, relative, span))
      propose_neighbour(builder, from, relative, span);
    sink().add(std::move(builder));
    return {};
  }
  if (!is_inside(real, from.root)) return outside();
  bool special = !llvm::sys::fs::is_regular_file(real) && !llvm::sys::fs::is_directory(real);
  if (special) return fail(Kind::UnreadableImport, format("\"{}\" is no file of text", relative));
  return real;
}

// Null after a report.
std::optional<FileId> Loader::read_import(const File& from, std::string_view relative,
                                          const std::string& real, size_t largest, Span span) {
  auto fail = [&](Kind kind, std::string text) {
    sink().add(DiagnosticBuilder(kind, span, std::move(text)));
    return std::nullopt;
  };
  if (++files_read_ > kMostFiles)
    return fail(Kind::TooManyImports,
                format("{} files are imported already, and no more are read", kMostFiles));
  uint64_t size = 0;
  if (!llvm::sys::fs::file_size(real, size) && size > largest)
    return fail(Kind::FileTooLarge, format("\"{}\" has {} bytes, and {} bytes may be imported so",
                                           relative, size, largest));
  ReadResult text = read_file(real, largest);
  if (!text.ok())
    return fail(Kind::UnreadableImport, format("\"{}\" cannot be read: {}", relative, text.error));
  // Shown as people would type it where they are: beside the file that imports it.
  llvm::SmallString<256> shown(llvm::sys::path::parent_path(sources_.name(from.module.file)));
  llvm::sys::path::append(shown, llvm::StringRef(relative.data(), relative.size()));
  llvm::sys::path::remove_dots(shown, true);
  return sources_.add(std::string(shown), std::move(text.text));
}

lang::Module* Loader::import_file(const File& from, std::string_view relative,
                                  const std::string& real, Span span) {
  if (auto known = files_.find(real); known != files_.end()) {
    if (known->second->loading) report_cycle(*known->second, span);
    return known->second->loading ? nullptr : &known->second->module;
  }
  if (stack_.size() > kMostDepth) {
    sink().add(DiagnosticBuilder(Kind::TooManyImports, span,
                                 format("files import files more than {} deep", kMostDepth)));
    return nullptr;
  }
  auto id = read_import(from, relative, real, kLargestSource, span);
  if (!id) return nullptr;
  File& file = add(real);
  file.path = real;
  file.folder = std::string(llvm::sys::path::parent_path(real));
  file.root = from.root;
  file.module.name = std::string(relative);
  file.tree = std::make_unique<syntax::Tree>(syntax::parse(*id, sources_.text(*id), sink()));
  finish(file);
  return &file.module;
}

const lang::Expr* Loader::import_data(const File& from, std::string_view relative,
                                      const std::string& real, Span span) {
  auto known = data_.find(real);
  if (known != data_.end()) return known->second;
  evaluator_.expect_data();
  auto id = read_import(from, relative, real, kLargestJson, span);
  const lang::Expr* value =
      id ? read_json({*id}, relative, sources_.text(*id), names_, arena_, sink()) : nullptr;
  return data_[real] = value;
}

// The file that marks the root, if there is one. What it says holds for all files below.
lang::Module* Loader::load_project(const std::string& root, const std::string& folder,
                                   std::string_view shown_beside) {
  auto [known, fresh] = projects_.try_emplace(root, nullptr);
  if (!fresh) return known->second;
  llvm::SmallString<256> path(root);
  llvm::sys::path::append(path, llvm::StringRef(kProjectFile.data(), kProjectFile.size()));
  std::string real = resolved(std::string(path));
  if (real.empty()) return nullptr;
  // Shown as seen from where the first file of the project was named.
  llvm::SmallString<256> shown(
      llvm::sys::path::parent_path(llvm::StringRef(shown_beside.data(), shown_beside.size())));
  llvm::StringRef below = llvm::StringRef(folder).drop_front(std::min(root.size(), folder.size()));
  for (auto part = llvm::sys::path::begin(below); part != llvm::sys::path::end(below); ++part)
    if (*part != "/") llvm::sys::path::append(shown, "..");
  llvm::sys::path::append(shown, llvm::StringRef(kProjectFile.data(), kProjectFile.size()));
  llvm::sys::path::remove_dots(shown, true);
  ReadResult text = read_file(real);
  if (!text.ok()) {
    sink().add(
        DiagnosticBuilder(Kind::UnreadableImport, {},
                          format("\"{}\" cannot be read: {}", std::string(shown), text.error)));
    return nullptr;
  }
  File& file = add(real);
  file.path = real;
  file.folder = file.root = root;
  file.module.name = std::string(kProjectFile);
  file.module.is_project = true;
  FileId id = sources_.add(std::string(shown), std::move(text.text));
  file.tree = std::make_unique<syntax::Tree>(syntax::parse(id, sources_.text(id), sink()));
  finish(file);
  for (const lang::DeclEntry& entry : file.module.entries)
    if (entry.kind == lang::DeclKind::plan || entry.kind == lang::DeclKind::model)
      sink().add(DiagnosticBuilder(Kind::BadDeclaration, entry.name_span,
                                   format("a {} has no place in project.dtp, which holds for all "
                                          "files of the project",
                                          lang::word(entry.kind)))
                     .help("write it in a file beside this one"));
  return projects_[root] = &file.module;
}

}  // namespace dtp::sema

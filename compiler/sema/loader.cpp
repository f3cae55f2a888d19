#include "sema/loader.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <utility>

#include "base/out.h"
#include "base/read_file.h"
#include "sema/paths.h"
#include "syntax/parse.h"

namespace dtp::sema {

using syntax::NodeId;
using syntax::NodeKind;

namespace {

std::string library_path(std::string_view dotted) {  // std.models.dit -> models/dit.dtp
  std::string path(dotted.substr(4));
  std::replace(path.begin(), path.end(), '.', '/');
  return path + ".dtp";
}

}  // namespace

const syntax::EmbeddedFile* Library::find(std::string_view path) const {
  auto found = std::lower_bound(
      embedded.begin(), embedded.end(), path,
      [](const syntax::EmbeddedFile& f, std::string_view p) { return f.path < p; });
  return found != embedded.end() && found->path == path ? &*found : nullptr;
}

std::vector<std::string> Library::module_names() const {
  std::vector<std::string> names;
  for (const syntax::EmbeddedFile& f : embedded) {
    std::string name = "std." + std::string(f.path.substr(0, f.path.size() - 4));
    std::replace(name.begin(), name.end(), '/', '.');
    names.push_back(std::move(name));
  }
  return names;
}

Loader::File& Loader::add(std::string key) {
  auto& slot = files_[std::move(key)];
  slot = std::make_unique<File>();
  return *slot;
}

const syntax::Tree* Loader::tree(const lang::Module* module) const {
  for (const auto& [key, file] : files_)
    if (&file->module == module) return file->tree.get();
  return nullptr;
}

bool Loader::is_library(FileId id) const {
  for (const auto& [key, file] : files_)
    if (file->module.is_library && file->module.file == id) return true;
  return false;
}

void Loader::finish(File& file) {
  file.lowerer = std::make_unique<Lowerer>(*file.tree, names_, arena_, sink());
  file.module.file = file.tree->file();
  file.module.has_errors = file.tree->has_errors();
  if (file.module.has_errors) give_up(file);
  if (file.module.is_library) evaluator_.add_library(file.module.file);
  file.module.lowering = file.lowerer.get();
  file.lowerer->index(file.module);
  stack_.push_back(&file);
  follow_imports(file);
  stack_.pop_back();
  declare_units(file);
  file.loading = false;
}

// The words of what did not parse.
void Loader::give_up(File& file) {
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (const syntax::Node& node : file.tree->nodes()) {
    if (node.kind != NodeKind::Error) continue;
    std::string_view text = file.tree->text().substr(node.begin, node.end - node.begin);
    for (size_t at = 0; at < text.size();) {
      size_t end = at;
      while (end < text.size() && letter(text[end])) ++end;
      if (end > at) file.module.given_up.insert(names_.intern(text.substr(at, end - at)).value);
      at = end + 1;
    }
  }
}

lang::Module* Loader::load_prelude() { return load_library("std.prelude", {}); }

lang::Module* Loader::load_text(std::string name, const std::string& path, std::string text) {
  std::string real = path.empty() ? std::string() : resolved(path);
  std::string folder =
      real.empty() ? resolved(".") : std::string(llvm::sys::path::parent_path(real));
  std::string root = root_of(folder);
  lang::Module* project = load_project(root, folder, name);
  if (!real.empty())
    if (auto known = files_.find(real); known != files_.end()) {
      lang::Module& module = known->second->module;
      module.project = project == &module ? nullptr : project;
      return &module;
    }
  File& file = add(real.empty() ? "<text>" + std::to_string(files_.size()) : real);
  file.path = real;
  file.folder = std::move(folder);
  file.root = std::move(root);
  file.module.name = name;
  file.module.project = project;
  FileId id = sources_.add(std::move(name), std::move(text));
  file.tree = std::make_unique<syntax::Tree>(syntax::parse(id, sources_.text(id), sink()));
  finish(file);
  return &file.module;
}

Loader::SettingText Loader::load_setting(const std::string& path, const std::string& value) {
  std::string shown = "-D " + path + "=" + value;
  auto begin = static_cast<uint32_t>(shown.size() - value.size());
  const lang::Expr* parsed = load_expression(shown, shown, begin);
  return {FileId{sources_.count()}, 3, parsed};
}

const lang::Expr* Loader::load_expression(const std::string& name, const std::string& text,
                                          uint32_t begin) {
  File& file = add("<expression " + std::to_string(files_.size()) + ">");
  file.module.name = name;
  FileId id = sources_.add(name, text);
  file.tree = std::make_unique<syntax::Tree>(
      syntax::parse_expression(id, sources_.text(id), begin, sink()));
  file.lowerer = std::make_unique<Lowerer>(*file.tree, names_, arena_, sink());
  file.loading = false;
  if (file.tree->has_errors()) return nullptr;
  return file.lowerer->expression(file.tree->child(file.tree->root(), 0));
}

void Loader::follow_imports(File& file) {
  for (NodeId id : file.tree->children(file.tree->root()))
    if (file.tree->kind(id) == NodeKind::Import) follow_import(file, id);
}

void Loader::follow_import(File& file, NodeId node) {
  const syntax::Tree& tree = *file.tree;
  NodeId target = tree.child(node, 0);
  NodeId alias = tree.child(node, 1);
  lang::Import import;
  import.span = tree.span(target);
  std::string name;
  if (tree.kind(target) == NodeKind::Path) {
    std::string dotted;
    for (NodeId word : tree.children(target))
      dotted += (dotted.empty() ? "" : ".") + std::string(tree.text(word));
    name = std::string(tree.text(tree.children(target).back()));
    import.module = import_library(file, dotted, import.span);
  } else {
    std::string_view relative = file.lowerer->string_text(target);
    name = std::string(llvm::sys::path::stem(llvm::StringRef(relative.data(), relative.size())));
    import_path(file, relative, alias != syntax::kNoNode, import);
  }
  Span name_span = import.span;
  if (alias != syntax::kNoNode) {
    name = std::string(tree.text(alias));
    name_span = tree.span(alias);
  }
  import.name = names_.intern(name);
  const lang::Import* twice = file.module.find_import(import.name);
  const lang::DeclEntry* taken = file.module.entry(import.name);
  bool found = import.module || import.data;  // else something was said about it already
  if (found && twice && twice->module == import.module && twice->data == import.data) {
    sink().add(DiagnosticBuilder(Kind::ImportNameTaken, import.span,
                                 format("`{}` is imported twice", tree.text(target)))
                   .label(twice->span, "first here")
                   .help("take one of the two away"));
    return;
  }
  if (found && (twice || (taken && !file.module.is_library))) {
    auto builder =
        DiagnosticBuilder(Kind::ImportNameTaken, name_span,
                          format("`{}` names something else in this file already", name));
    builder.label(twice ? twice->span : taken->name_span, "here");
    builder.help(format("give the import another name: `as {}_file`", name));
    sink().add(std::move(builder));
  }
  // Files of the library are imported for their rules alone, too: of those their use is looked at.
  bool own = import.data || (import.module && !import.module->is_library);
  if (own && !twice && !taken) hidden_by_plans(import, name, name_span);
  file.module.imports.push_back(import);
}

// Inside a plan its fields and results come first: `data.train` would look in the plan's data.
void Loader::hidden_by_plans(const lang::Import& import, const std::string& name, Span at) {
  lang::Module* prelude = evaluator_.prelude();
  if (!prelude) return;
  for (const lang::Import& known : prelude->imports) {
    const lang::Decl* plan = known.module ? known.module->find(sym::Plan) : nullptr;
    if (!plan) continue;
    for (const lang::TypeField& f : plan->fields)
      if (f.name == import.name)
        sink().add(DiagnosticBuilder(Kind::ImportNameTaken, at,
                                     format("`{}` is a field of every plan, which would hide this "
                                            "file",
                                            name))
                       .help(format("give the import another name: `as {}_file`", name)));
  }
}

lang::Module* Loader::import_library(File& from, std::string_view dotted, Span span) {
  if (dotted.substr(0, 4) != "std.") {
    auto builder =
        DiagnosticBuilder(Kind::UnknownImport, span, format("there is no library `{}`", dotted));
    propose_library(builder, dotted, span);
    sink().add(std::move(builder));
    return nullptr;
  }
  (void)from;
  return load_library(dotted, span);
}

lang::Module* Loader::load_library(std::string_view dotted, Span span) {
  if (auto known = files_.find(dotted); known != files_.end()) {
    if (known->second->loading) report_cycle(*known->second, span);
    return known->second->loading ? nullptr : &known->second->module;
  }
  std::string path = library_path(dotted);
  if (!library_.folder.empty()) {
    llvm::SmallString<256> whole(library_.folder);
    llvm::sys::path::append(whole, path);
    ReadResult text = read_file(std::string(whole));
    if (!text.ok()) {
      unknown_in_folder(dotted, std::string(whole), text.error, span);
      return nullptr;
    }
    File& file = add(std::string(dotted));
    file.module.name = std::string(dotted);
    file.module.is_library = true;
    FileId id = sources_.add(std::string(whole), std::move(text.text));
    file.tree = std::make_unique<syntax::Tree>(syntax::parse(id, sources_.text(id), sink()));
    finish(file);
    return &file.module;
  }
  const syntax::EmbeddedFile* embedded = library_.find(path);
  if (!embedded) {
    unknown_library(dotted, span);
    return nullptr;
  }
  File& file = add(std::string(dotted));
  file.module.name = std::string(dotted);
  file.module.is_library = true;
  FileId id = sources_.add_static("std/" + path, embedded->text);
  file.tree = std::make_unique<syntax::Tree>(embedded->tree(id));
  finish(file);
  return &file.module;
}

// The names of the library inside the program say nothing about a folder.
void Loader::unknown_in_folder(std::string_view dotted, const std::string& path,
                               const std::string& why, Span span) {
  if (std::exchange(folder_told_, !llvm::sys::fs::is_directory(library_.folder))) return;
  sink().add(
      DiagnosticBuilder(
          Kind::UnknownImport, span,
          format("the library has no `{}`: `{}` cannot be read: {}", dotted, path, why))
          .note(format("DTP_STDLIB has the library read from the folder `{}`; without it the "
                       "one inside dtpc is used",
                       library_.folder)));
}

void Loader::unknown_library(std::string_view dotted, Span span) {
  auto builder =
      DiagnosticBuilder(Kind::UnknownImport, span, format("the library has no `{}`", dotted));
  propose_library(builder, dotted, span);
  sink().add(std::move(builder));
}

void Loader::report_cycle(const File& target, Span span) {
  std::string ring;
  bool inside = false;
  for (const File* f : stack_) {
    inside = inside || f == &target;
    if (inside) ring += f->module.name + " -> ";
  }
  ring += target.module.name;
  sink().add(DiagnosticBuilder(Kind::ImportCycle, span,
                               format("files import each other in a ring: {}", ring)));
}

}  // namespace dtp::sema

// Files of a run: the user's by path, the library's by name; imports followed, rings and escapes
// refused.
#pragma once
#include <llvm/ADT/DenseMap.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source_manager.h"
#include "eval/evaluator.h"
#include "sema/catalogue.h"
#include "sema/library.h"
#include "sema/lowering.h"

namespace dtp::sema {

class Loader {
 public:
  Loader(SourceManager& sources, Interner& names, units::UnitTable& units,
         eval::Evaluator& evaluator, llvm::BumpPtrAllocator& arena, Library library)
      : sources_(sources),
        names_(names),
        units_(units),
        evaluator_(evaluator),
        arena_(arena),
        library_(std::move(library)),
        catalogue_(sources_, library_) {
    evaluator_.set_catalogue(&catalogue_);
  }

  // The file that brings what is always in scope. Its mistakes go to the evaluator's sink.
  lang::Module* load_prelude();
  // A user's text. `path`: where it lies, to resolve its imports; empty for standard input (the
  // current folder).
  lang::Module* load_text(std::string name, const std::string& path, std::string text);
  const syntax::Tree* tree(const lang::Module* module) const;
  bool is_library(FileId id) const;
  // `-D path=value` as it was given, a text of its own.
  struct SettingText {
    FileId file;
    uint32_t path_begin;      // where the path starts in it
    const lang::Expr* value;  // null with a report when it does not parse
  };
  SettingText load_setting(const std::string& path, const std::string& value);
  // One expression, from byte `begin` of a text of its own; null with a report when it does not
  // parse.
  const lang::Expr* load_expression(const std::string& name, const std::string& text,
                                    uint32_t begin = 0);

 private:
  struct File {
    std::unique_ptr<syntax::Tree> tree;
    std::unique_ptr<Lowerer> lowerer;
    lang::Module module;
    std::string path;  // of a user's file, resolved
    std::string folder;
    std::string root;  // nothing outside it is read
    bool loading = true;
  };

  File& add(std::string key);
  void finish(File& file);
  void give_up(File& file);
  void follow_imports(File& file);
  void follow_import(File& file, syntax::NodeId node);
  lang::Module* import_library(File& from, std::string_view dotted, Span span);
  // import_files.cpp. `named`: by `as`.
  void import_path(File& from, std::string_view relative, bool named, lang::Import& import);
  std::string importable(const File& from, std::string_view relative, Span span);
  std::optional<FileId> read_import(const File& from, std::string_view relative,
                                    const std::string& real, size_t largest, Span span);
  lang::Module* import_file(const File& from, std::string_view relative, const std::string& real,
                            Span span);
  const lang::Expr* import_data(const File& from, std::string_view relative,
                                const std::string& real, Span span);
  lang::Module* load_project(const std::string& root, const std::string& folder,
                             std::string_view shown_beside);
  lang::Module* load_library(std::string_view dotted, Span span);
  void report_cycle(const File& target, Span span);
  void unknown_library(std::string_view dotted, Span span);
  void propose_library(DiagnosticBuilder& message, std::string_view wanted, Span span) const;
  void propose_path(DiagnosticBuilder& message, std::string_view relative, Span span) const;
  static bool propose_above(DiagnosticBuilder& message, const File& from, std::string_view relative,
                            Span span);
  static void propose_neighbour(DiagnosticBuilder& message, const File& from,
                                std::string_view relative, Span span);
  void hidden_by_plans(const lang::Import& import, const std::string& name, Span at);
  void unknown_in_folder(std::string_view dotted, const std::string& path, const std::string& why,
                         Span span);
  void declare_units(File& file);
  bool waits(const lang::Decl& decl, llvm::ArrayRef<const lang::Decl*> others) const;
  void unit_ring(llvm::ArrayRef<const lang::Decl*> ring);
  void declare_unit(File& file, const lang::Decl& decl);
  void declare_dimension(File& file, const lang::Decl& decl);
  bool dimension_is_new(const lang::Decl& decl, bool same);
  std::vector<units::PrefixSet> prefixes(File& file, const lang::Decl& decl);
  std::optional<units::PrefixSet> prefix_set(const lang::Expr* e, eval::Env* env);
  bool same_unit(const std::vector<std::string>& spellings, const units::Dimension& dimension,
                 units::Ratio scale) const;
  void unit_taken(const lang::Decl& decl, const std::string& taken);
  DiagnosticSink& sink() { return evaluator_.sink(); }

  SourceManager& sources_;
  Interner& names_;
  units::UnitTable& units_;
  eval::Evaluator& evaluator_;
  llvm::BumpPtrAllocator& arena_;
  Library library_;
  LibraryCatalogue catalogue_;
  std::map<std::string, std::unique_ptr<File>, std::less<>> files_;
  std::map<std::string, const lang::Expr*, std::less<>> data_;  // of JSON files; null: told
  std::map<std::string, lang::Module*, std::less<>> projects_;  // by root; null: it has none
  size_t files_read_ = 0;
  llvm::DenseMap<uint32_t, Span> dimensions_;  // by name: where each was declared
  std::vector<File*> stack_;                   // being loaded, outermost first
  bool folder_told_ = false;                   // that the library's folder is none
};

}  // namespace dtp::sema

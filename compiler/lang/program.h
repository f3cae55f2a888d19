// All files of one run with their declarations, found by name and lowered when first asked for.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Support/Allocator.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/symbol.h"
#include "lang/declaration.h"

namespace dtp::lang {

struct Module;

struct Import {
  Symbol name;  // what it is called here
  Span span;    // of the path
  // Of the two one is there, or none where the file could not be read: already reported.
  Module* module = nullptr;
  const Expr* data = nullptr;  // of a JSON file
};

struct DeclEntry {
  DeclKind kind = DeclKind::let;
  Symbol name;
  Span name_span;
  uint32_t node = 0;  // in the file's tree
  const Decl* lowered = nullptr;
};

// Turns a declaration's text into data when it is first needed.
class Lowering {
 public:
  virtual ~Lowering() = default;
  virtual const Decl* lower(Module& module, DeclEntry& entry) = 0;
};

struct Module {
  FileId file;
  std::string name;  // "std.models.dit", or the path
  bool is_library = false;
  bool is_project = false;  // project.dtp
  bool has_errors = false;  // of syntax
  // Words of the text that did not parse. What they would have declared or set is not missing: it
  // is unknown.
  llvm::DenseSet<uint32_t> given_up;
  std::vector<Import> imports;
  std::vector<DeclEntry> entries;              // in the order of the text
  llvm::DenseMap<uint32_t, uint32_t> by_name;  // Symbol -> index into entries
  Lowering* lowering = nullptr;
  Module* project = nullptr;  // of a file that is checked: the project.dtp of its root

  const Decl* declaration(DeclEntry& entry) {
    if (!entry.lowered) entry.lowered = lowering->lower(*this, entry);
    return entry.lowered;
  }
  DeclEntry* entry(Symbol symbol) {
    auto found = by_name.find(symbol.value);
    return found == by_name.end() ? nullptr : &entries[found->second];
  }
  // Null when the file declares no such name.
  const Decl* find(Symbol symbol) {
    DeclEntry* e = entry(symbol);
    return e ? declaration(*e) : nullptr;
  }
  bool may_have(Symbol symbol) const { return given_up.contains(symbol.value); }
  const Import* find_import(Symbol symbol) const {
    for (const Import& i : imports)
      if (i.name == symbol) return &i;
    return nullptr;
  }
};

}  // namespace dtp::lang

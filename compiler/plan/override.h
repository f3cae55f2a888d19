// What-if: a plan's fields set from outside, as an amendment on top of the plan. `-D`, a suggestion
// and a solver's candidate are made here, by nothing else.
#pragma once
#include <llvm/Support/Allocator.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.h"
#include "lang/declaration.h"

namespace dtp::plan {

// A field and what it is to be, as text: batch.micro=16.
struct Setting {
  std::string path;
  std::string value;
};

struct PathWord {
  Symbol name;
  Span span;  // where it was written; invalid where nobody wrote it
};

class OverrideMaker {
 public:
  OverrideMaker(Interner& names, llvm::BumpPtrAllocator& arena) : names_(names), arena_(arena) {}

  // batch.micro = value
  // `outside`: the value is an expression of another scope, and no name in it is a field of the
  // plan.
  const lang::RecordBody* set(llvm::ArrayRef<PathWord> path, const lang::Expr* value,
                              bool outside = false);
  // A name that stands in no text.
  const lang::Expr* name(std::string_view word);

 private:
  template <class T>
  T* one() {
    return new (arena_.Allocate<T>()) T();
  }
  lang::Expr* expression(lang::ExprKind kind);

  Interner& names_;
  llvm::BumpPtrAllocator& arena_;
};

// The words of "batch.micro"; nothing where it is no path of fields. `file` and `begin`: where the
// path stands.
std::vector<PathWord> path_words(std::string_view path, Interner& names, FileId file,
                                 uint32_t begin);

}  // namespace dtp::plan

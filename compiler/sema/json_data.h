// A JSON file as an expression of the language, each value with its place in the file. Objects are
// records whose body is `data`, `null` is `none`, numbers are exact as far as 128 bits go.
#pragma once
#include <llvm/Support/Allocator.h>

#include "base/symbol.h"
#include "diagnostics/sink.h"
#include "lang/declaration.h"

namespace dtp::sema {

// More is no configuration: model indexes and token tables are data of another kind.
inline constexpr size_t kLargestJson = size_t{1} << 20;
inline constexpr unsigned kMostJsonNesting = 64;

// Where a text begins in its file.
struct TextPlace {
  FileId file;
  uint32_t begin = 0;
  Span span(uint32_t from, uint32_t to) const { return {file, begin + from, begin + to}; }
};

// Null after a report: the text is no JSON, nests too deeply, or says a key twice. `text` is kept
// by whoever keeps the result.
const lang::Expr* read_json(TextPlace place, std::string_view name, std::string_view text,
                            Interner& names, llvm::BumpPtrAllocator& arena, DiagnosticSink& sink);

}  // namespace dtp::sema

// What may be said once in its place: the second is an error that points at the first.
#pragma once
#include <llvm/ADT/DenseMap.h>

#include <string>
#include <utility>

#include "base/symbol.h"
#include "diagnostics/sink.h"

namespace dtp::sema {

class Once {
 public:
  // `tail`: what the headline says of a name that comes twice, as in "is set twice in one body".
  Once(const Interner& names, DiagnosticSink& sink, std::string tail)
      : names_(names), sink_(sink), tail_(std::move(tail)) {}

  void see(Symbol name, Span span) {
    if (names_.text(name).empty()) return;  // did not parse: already reported
    auto [first, fresh] = seen_.try_emplace(name.value, span);
    if (!fresh) report(name, span, first->second, tail_);
  }
  // A name that is looked at elsewhere: only others are compared with it.
  void know(Symbol name, Span span) { seen_.try_emplace(name.value, span); }
  void report(Symbol name, Span span, Span first, std::string_view tail) {
    std::string headline = "`" + std::string(names_.text(name)) + "` " + std::string(tail);
    sink_.add(DiagnosticBuilder(Kind::DeclaredTwice, span, std::move(headline))
                  .label(first, "first here"));
  }

 private:
  const Interner& names_;
  DiagnosticSink& sink_;
  std::string tail_;
  llvm::DenseMap<uint32_t, Span> seen_;
};

}  // namespace dtp::sema

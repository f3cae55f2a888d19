// Tests of diagnostics in the sources themselves: comments say what must be raised where.
//
//   memory = 3 h    // expect-error DTP2201 {{is Time}}
//   // expect-warning@+1 2x DTP4002 {{words of the headline}}
//   // expect-error@12 {{...}}     line 12      // expect-error@0 DTP5002     no place at all
//
// Code and words may be left out. `expect-note` looks at the notes of diagnostics raised for that
// line or pointing at it. Every error and warning must be expected; notes need not be.
#pragma once
#include <span>

#include "base/source_manager.h"
#include "diagnostics/diagnostic.h"

namespace llvm {
class raw_ostream;
}

namespace dtp {

struct VerifyResult {
  size_t expected = 0;  // expectations that were met
  size_t failed = 0;    // missing, unexpected or malformed
};

// Reads the comments of every file in `sources` and writes what differs to `out`.
VerifyResult verify(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                    llvm::raw_ostream& out);

}  // namespace dtp

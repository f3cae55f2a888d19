// `-D path=value`: a field set from outside, as an amendment on top of every plan.
#pragma once
#include <llvm/Support/Allocator.h>

#include <vector>

#include "pipeline/session.h"
#include "sema/loader.h"

namespace dtp::pipeline {

// Null where it is no setting, which is reported.
const lang::RecordBody* read_override(const Setting& setting, sema::Loader& loader, Interner& names,
                                      llvm::BumpPtrAllocator& arena, DiagnosticSink& sink);

// A mistake in a setting is reported at its own text, "-D batch.micro=16".
std::vector<const lang::RecordBody*> read_overrides(const std::vector<Setting>& settings,
                                                    sema::Loader& loader, Interner& names,
                                                    llvm::BumpPtrAllocator& arena,
                                                    DiagnosticSink& sink);

}  // namespace dtp::pipeline

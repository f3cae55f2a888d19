// An override becomes edits of the plan's own text, at the places of its fields.
#pragma once
#include <optional>
#include <vector>

#include "base/source_manager.h"
#include "diagnostics/diagnostic.h"
#include "eval/evaluator.h"
#include "plan/override.h"

namespace dtp::edit {

// The edits that make the fields of a plan so. A field that the plan's text sets is set there; one
// that it does not set (the default holds, or an amended base, or an import) gets a line of its
// own, where the type `Plan` has it: another plan's text, and the library's, stay as they are.
// Nothing where the text has no place for it, such as a field that `each` or `choose` gives.
std::optional<std::vector<TextEdit>> place(eval::Evaluator& evaluator, const SourceManager& sources,
                                           const lang::Decl& declaration, eval::Record* plan,
                                           llvm::ArrayRef<plan::Setting> settings);

}  // namespace dtp::edit

// Functions that call themselves and models that make one of their own kind, told from the text
// alone: nothing has to run for it.
#pragma once
#include <vector>

#include "diagnostics/diagnostic.h"
#include "eval/evaluator.h"

namespace dtp::sema {

// Reports one EvaluationCycle for each ring of the file's functions and models. `told`: what
// running them found; a file with a ring told already gets no second one.
void tell_rings(eval::Evaluator& evaluator, lang::Module& module,
                const std::vector<Diagnostic>& told);

}  // namespace dtp::sema

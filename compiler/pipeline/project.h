// `let project = Project { at_least = "0.2" }` of a project.dtp.
#pragma once
#include <string>

#include "eval/evaluator.h"

namespace dtp::pipeline {

// Reports where the project asks for a newer dtpc than this one, or says it in a way that cannot be
// read. `version`: of this dtpc; empty: nothing is compared.
void check_version(eval::Evaluator& evaluator, lang::Module& project, const std::string& version);

}  // namespace dtp::pipeline

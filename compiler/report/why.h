// Where a value of a plan comes from: the places that set it, and what they read.
#pragma once
#include "base/source_manager.h"
#include "eval/evaluator.h"
#include "report/report.h"

namespace llvm {
class raw_ostream;
}

namespace dtp::report {

// `asked`: a path of the plan or any expression over it, written in the plan's scope `env`. False
// when it could not be worked out, which is then reported.
bool why(eval::Evaluator& evaluator, const SourceManager& sources, const PlanReport& report,
         const lang::Expr* asked, eval::Env* env, llvm::raw_ostream& out);

}  // namespace dtp::report

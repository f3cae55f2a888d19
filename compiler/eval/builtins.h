// Functions that are not written in the language and stand in files of their own: builtins.cpp has
// the table.
#pragma once
#include "eval/native.h"

namespace dtp::eval {

class Evaluator;
using BuiltinArguments = llvm::ArrayRef<EvaluatedArgument>;

// builtin_folds.cpp
Value do_any(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_all(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_pairs(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_matches(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_nearest(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_overlaps(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_refuse(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);

// builtin_lists.cpp
Value do_enumerate(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_last(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_reversed(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_push(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);
Value do_pop(Evaluator& ev, BuiltinArguments arguments, const CallSite& site);

}  // namespace dtp::eval

// What is said about text that does not follow the grammar, in a newcomer's words.
#pragma once
#include "syntax/mistake.h"

namespace dtp::syntax {

DiagnosticBuilder explain(const Mistake& mistake);

}  // namespace dtp::syntax

// The names that an expression reads, in the order of the text.
#pragma once
#include <vector>

#include "lang/expression.h"

namespace dtp::model {

std::vector<Symbol> names_read(const lang::Expr* expression);

}  // namespace dtp::model

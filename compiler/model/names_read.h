// What an expression reads and makes, as its text says.
#pragma once
#include <vector>

#include "base/symbol.h"
#include "lang/expression.h"

namespace dtp::model {

// In the order of the text.
std::vector<Symbol> names_read(const lang::Expr* expression);

// How many calls and pipes in an expression may make layers or models: those of what has a capital
// letter, or of what is itself worked out, such as Block(8) in Block(8)(x).
int makers_in(const lang::Expr& expression, const Interner& names);

}  // namespace dtp::model

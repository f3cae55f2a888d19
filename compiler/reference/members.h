// What stands inside a declaration: fields, cases, parameters, functions, requirements.
#pragma once
#include "reference/page.h"
#include "syntax/tree.h"

namespace dtp::reference {

// Empty for what has no members of its own (values, units, functions).
std::vector<Member> members_of(const syntax::Tree& tree, syntax::NodeId declaration);

}  // namespace dtp::reference

// A tree as indented text, for --dump=tree and tests.
#pragma once
#include "syntax/tree.h"

namespace llvm {
class raw_ostream;
}

namespace dtp::syntax {

void print_tree(const Tree& tree, llvm::raw_ostream& out);

}  // namespace dtp::syntax

// The pages of all that may be named without a file of one's own.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "reference/page.h"
#include "syntax/tree.h"

namespace dtp::reference {

// One file of the library: "hardware/nvidia.dtp".
struct LibraryText {
  std::string path;
  syntax::Tree tree;
};

// What the compiler knows: operations, layers, functions, results.
std::vector<Page> compiler_pages();

// The compiler's pages, then the library's: first what is always in scope, in the prelude's order.
std::vector<Page> library_pages(std::span<const LibraryText> library);

}  // namespace dtp::reference

// Parsed files as the source text of a C++ file that defines embedded_library().
#pragma once
#include <string>
#include <vector>

#include "syntax/tree.h"

namespace dtp::syntax {

struct ParsedFile {
  std::string path;
  Tree tree;
};

std::string write_arrays(const std::vector<ParsedFile>& files);

}  // namespace dtp::syntax

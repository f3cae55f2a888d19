// What a plan and a model may name: the operations and layers that the compiler knows, and every
// declaration of the library inside it. `dtpc list` prints it, and docs/library.md is its output.
#pragma once
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace dtp::pipeline {

struct CatalogSection {
  std::string topic;  // "operations", "std.hardware.nvidia"
  std::string intro;
  struct Row {
    std::string name;  // as it is written: "chunk(x, parts, axis = 0) -> parts tensors"
    std::string doc;   // one sentence; may be empty
  };
  std::vector<Row> rows;
};

std::vector<CatalogSection> catalog();

// As a section of a Markdown page.
void print_section(const CatalogSection& section, llvm::raw_ostream& out);

}  // namespace dtp::pipeline

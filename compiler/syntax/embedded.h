// The standard library as the build put it into the program: texts with their trees, as constant
// data. Only the final tool links dtp_embedded_library.
#pragma once
#include <span>
#include <string_view>

#include "base/span.h"
#include "syntax/tree.h"

namespace dtp::syntax {

struct EmbeddedFile {
  std::string_view path;  // below stdlib/: "units.dtp", "hardware/nvidia.dtp"
  std::string_view text;
  std::span<const Node> nodes;
  std::span<const NodeId> children;
  std::span<const Trivia> trivia;
  NodeId root;

  // A view of the constant arrays: nothing is copied.
  Tree tree(FileId file) const { return {file, text, nodes, children, trivia, root, false}; }
};

// Sorted by path.
std::span<const EmbeddedFile> embedded_library();

// nullptr where the library has no such file.
const EmbeddedFile* find_embedded(std::string_view path);

}  // namespace dtp::syntax

// What messages look up in the texts around a mistake. Asked only once something is wrong.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace dtp::eval {

struct LibraryName {
  std::string_view name;
  std::string_view type;  // of a value, as its first word says: "GPU"; "Model" also of a model
  bool is_value = false;
};

struct LibraryFile {
  std::string name;       // "std.hardware.nvidia"
  bool in_scope = false;  // by the prelude, without an import
  std::vector<LibraryName> names;
};

class Catalogue {
 public:
  virtual ~Catalogue() = default;
  // The files of the library that is built in, and what they declare.
  virtual const std::vector<LibraryFile>& library() = 0;
  virtual std::string_view text(Span span) const = 0;
};

}  // namespace dtp::eval

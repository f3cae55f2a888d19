// Where the standard library is read from: the trees inside the program, or a folder instead
// (DTP_STDLIB).
#pragma once
#include <span>
#include <string>

#include "syntax/embedded.h"

namespace dtp::sema {

struct Library {
  std::span<const syntax::EmbeddedFile> embedded;
  std::string folder;  // not empty: read from here instead

  const syntax::EmbeddedFile* find(std::string_view path) const;
  std::vector<std::string> module_names() const;  // "std.models.dit", for messages
};

}  // namespace dtp::sema

// The built-in library's files by name with what they declare, for messages.
#pragma once
#include "base/source_manager.h"
#include "eval/catalogue.h"
#include "sema/library.h"

namespace dtp::sema {

class LibraryCatalogue final : public eval::Catalogue {
 public:
  LibraryCatalogue(const SourceManager& sources, const Library& library)
      : sources_(sources), library_(library) {}

  const std::vector<eval::LibraryFile>& library() override;
  std::string_view text(Span span) const override { return sources_.slice(span); }

 private:
  const SourceManager& sources_;
  const Library& library_;
  std::vector<eval::LibraryFile> files_;  // made at the first question
};

}  // namespace dtp::sema

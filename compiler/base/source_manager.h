// The texts of one run and the places in them. Texts are never moved once added, so slices of them
// stay valid.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace dtp {

struct LineColumn {
  uint32_t line = 1;    // from 1
  uint32_t column = 1;  // from 1, in bytes
};

class SourceManager {
 public:
  // `name` is what people see (a path as given, "<stdin>", "std/units.dtp").
  FileId add(std::string name, std::string text);
  // A text that outlives the manager (the embedded library): not copied.
  FileId add_static(std::string name, std::string_view text);

  // Files are numbered 1..count().
  uint32_t count() const { return static_cast<uint32_t>(files_.size()); }
  std::string_view name(FileId file) const;
  std::string_view text(FileId file) const;
  std::string_view slice(Span span) const;
  LineColumn line_column(FileId file, uint32_t offset) const;
  // The text of a line (from 1) without its line end.
  std::string_view line_text(FileId file, uint32_t line) const;

 private:
  struct File {
    std::string name;
    std::string owned;
    std::string_view text;
    mutable std::vector<uint32_t> line_starts;  // filled at the first question
  };
  const File& get(FileId file) const { return files_[file.value - 1]; }
  static void index_lines(const File& file);
  std::deque<File> files_;
};

}  // namespace dtp

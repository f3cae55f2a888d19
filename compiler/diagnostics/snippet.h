// Source lines of one file with marks and words under them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/source_manager.h"
#include "diagnostics/diagnostic.h"
#include "diagnostics/paint.h"
#include "diagnostics/renderer.h"

namespace llvm {
class raw_ostream;
}

namespace dtp {

class Snippet {
 public:
  Snippet(FileId file, const SourceManager& sources) : file_(file), sources_(sources) {}

  // `caret`: marked by ^, in the colour of the severity; the others by dashes.
  void add(const Label& label, bool caret);
  uint32_t last_line() const;
  // `gutter`: columns that line numbers take.
  void print(unsigned gutter, Severity severity, const RenderOptions& options,
             llvm::raw_ostream& out) const;

 private:
  // A mark under bytes [begin, end) of one line.
  struct Mark {
    uint32_t line;
    uint32_t begin;
    uint32_t end;
    std::string text;
    bool caret;
    bool goes_on = false;  // the span ends on a later line
  };
  struct Frame;
  void print_line(const std::vector<const Mark*>& marks, const Frame& frame,
                  llvm::raw_ostream& out) const;

  FileId file_;
  const SourceManager& sources_;
  std::vector<Mark> marks_;
};

}  // namespace dtp

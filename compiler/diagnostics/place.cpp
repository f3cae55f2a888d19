#include "diagnostics/place.h"

#include <llvm/Support/JSON.h>

#include <algorithm>

namespace dtp {

Place place_of(const SourceManager& sources, FileId file, uint32_t offset) {
  std::string_view text = sources.text(file);
  offset = std::min(offset, static_cast<uint32_t>(text.size()));
  LineColumn at = sources.line_column(file, offset);
  uint32_t units = 0;
  for (unsigned char c : text.substr(offset - (at.column - 1), at.column - 1)) {
    if ((c & 0xC0) == 0x80) continue;  // not the first byte of a character
    units += c >= 0xF0 ? 2 : 1;
  }
  return {at.line, at.column, units + 1};
}

std::string json_text(std::string_view text) {
  llvm::StringRef ref(text.data(), text.size());
  return llvm::json::isUTF8(ref) ? std::string(text) : llvm::json::fixUTF8(ref);
}

}  // namespace dtp

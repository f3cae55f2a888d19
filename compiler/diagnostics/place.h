// A span in the ways that tools count: bytes, lines with columns in bytes, columns in UTF-16 units.
#pragma once
#include <string>

#include "base/source_manager.h"

namespace dtp {

struct Place {
  uint32_t line = 1;
  uint32_t column = 1;        // bytes, from 1
  uint32_t utf16_column = 1;  // from 1
};

Place place_of(const SourceManager& sources, FileId file, uint32_t offset);

// JSON wants valid UTF-8, whatever the source holds.
std::string json_text(std::string_view text);

}  // namespace dtp

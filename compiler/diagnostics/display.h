// Text of unknown origin on a terminal: how wide it is, and with nothing in it that a terminal
// would obey.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dtp {

// Control characters, escape sequences, characters that reverse the direction of text and bytes
// that are not UTF-8 become visible characters. Line ends stay where `keep_lines`.
std::string neutral(std::string_view text, bool keep_lines = false);

// One source line as it is shown: tabs expanded, made neutral, with the column of each of its
// bytes.
class DisplayLine {
 public:
  // Of a very long line only the surroundings of byte `focus` are laid out.
  DisplayLine(std::string_view line, size_t focus);

  // Columns are counted from 0.
  unsigned column(size_t byte) const;
  unsigned width() const { return width_; }
  // The text in columns [from, to).
  std::string cut(unsigned from, unsigned to) const;
  bool begins_late() const { return first_byte_ > 0; }
  bool ends_early() const { return ends_early_; }

 private:
  struct Cell {
    uint32_t byte;  // where it starts in the source line
    uint32_t column;
    uint32_t begin;  // where it starts in text_
  };
  size_t first_byte_ = 0;
  bool ends_early_ = false;
  unsigned width_ = 0;
  std::string text_;
  std::vector<Cell> cells_;
};

}  // namespace dtp

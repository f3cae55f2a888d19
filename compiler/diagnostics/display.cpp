#include "diagnostics/display.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Unicode.h>

#include <algorithm>

#include "base/out.h"

namespace dtp {
namespace {

constexpr unsigned kTabWidth = 4;
// Bytes that are laid out on each side of the caret: enough for any terminal.
constexpr size_t kAround = 2048;
constexpr const char* kReplacement = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = 0;
  size_t length = 1;
  bool valid = false;
};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

Character decode(std::string_view text) {
  auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1, true};
  size_t length = first >= 0xF0 && first < 0xF5   ? 4
                  : first >= 0xE0 && first < 0xF0 ? 3
                  : first >= 0xC2 && first < 0xE0 ? 2
                                                  : 0;
  if (length == 0 || text.size() < length) return {};
  uint32_t code = first & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < smallest[length] || surrogate || code > 0x10FFFF) return {};
  return {code, length, true};
}

void append_utf8(std::string& text, uint32_t code) {
  // Only the control pictures U+2400 to U+2421 are made here: three bytes.
  text += static_cast<char>(0xE0 | code >> 12);
  text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
  text += static_cast<char>(0x80 | (code & 0x3F));
}

// Marks and overrides of direction, line and paragraph separators, invisible joiners, the second
// control set.
bool misleads(uint32_t code) {
  return (code >= 0x80 && code < 0xA0) || code == 0x061C || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
         code == 0xFEFF || (code >= 0xE0000 && code <= 0xE0FFF);
}

// Appends what stands for the first character of `text` and gives its width.
unsigned append_neutral(std::string& out, std::string_view text, const Character& c) {
  if (!c.valid) {
    out += kReplacement;
    return 1;
  }
  if (c.code < 0x20 || c.code == 0x7F) {
    append_utf8(out, c.code == 0x7F ? 0x2421 : 0x2400 + c.code);
    return 1;
  }
  if (c.code < 0x7F) {
    out += static_cast<char>(c.code);
    return 1;
  }
  int width = misleads(c.code)
                  ? -1
                  : llvm::sys::unicode::columnWidthUTF8(llvm::StringRef(text.substr(0, c.length)));
  if (width >= 0) {
    out.append(text, 0, c.length);
    return static_cast<unsigned>(width);
  }
  std::string shown = format("<U+{:04X}>", c.code);
  out += shown;
  return static_cast<unsigned>(shown.size());
}

}  // namespace

std::string neutral(std::string_view text, bool keep_lines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    Character c = decode(text);
    if (keep_lines && c.code == '\n')
      result += '\n';
    else if (c.code == '\t')
      result += ' ';
    else
      append_neutral(result, text, c);
    text.remove_prefix(c.length);
  }
  return result;
}

DisplayLine::DisplayLine(std::string_view line, size_t focus) {
  focus = std::min(focus, line.size());
  size_t end = line.size();
  if (line.size() > 2 * kAround) {
    first_byte_ = focus > kAround ? focus - kAround : 0;
    end = std::min(line.size(), focus + kAround);
    while (first_byte_ < line.size() && is_continuation(line[first_byte_])) ++first_byte_;
    while (end < line.size() && is_continuation(line[end])) ++end;
    ends_early_ = end < line.size();
  }
  for (size_t at = first_byte_; at < end;) {
    std::string_view rest = line.substr(at, end - at);
    Character c = decode(rest);
    cells_.push_back({static_cast<uint32_t>(at), width_, static_cast<uint32_t>(text_.size())});
    if (c.valid && c.code == '\t') {
      unsigned spaces = kTabWidth - width_ % kTabWidth;
      text_.append(spaces, ' ');
      width_ += spaces;
    } else {
      width_ += append_neutral(text_, rest, c);
    }
    at += c.length;
  }
  cells_.push_back({static_cast<uint32_t>(end), width_, static_cast<uint32_t>(text_.size())});
}

unsigned DisplayLine::column(size_t byte) const {
  auto next = std::upper_bound(cells_.begin(), cells_.end(), byte,
                               [](size_t wanted, const Cell& cell) { return wanted < cell.byte; });
  return next == cells_.begin() ? 0 : std::prev(next)->column;
}

std::string DisplayLine::cut(unsigned from, unsigned to) const {
  std::string result;
  for (size_t i = 0; i + 1 < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    unsigned cell_end = cells_[i + 1].column;
    if (cell_end <= from && cell.column < from) continue;
    if (cell.column >= to) break;
    // A wide character or a tab that sticks out on either side is shown as blanks.
    if (cell.column < from || cell_end > to)
      result.append(std::min(cell_end, to) - std::max(cell.column, from), ' ');
    else
      result.append(text_, cell.begin, cells_[i + 1].begin - cell.begin);
  }
  return result;
}

}  // namespace dtp

#include "report/table.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace dtp::report {
namespace {

// Columns on a terminal, counting UTF-8 sequences once.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void Table::print(llvm::raw_ostream& out, unsigned indent) const {
  std::vector<size_t> widths(alignment_.size());
  for (const auto& row : rows_)
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width_of(row[i]));
  size_t total = 0;
  for (size_t w : widths) total += w + 2;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    if (row.empty()) line += std::string(total - 2, '-');
    for (size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      std::string padding(widths[i] - width_of(row[i]), ' ');
      line += alignment_[i] == 'r' ? padding + row[i] : row[i] + padding;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << "\n";
  }
}

}  // namespace dtp::report

#include "base/source_manager.h"

#include <algorithm>
#include <utility>

namespace dtp {

FileId SourceManager::add(std::string name, std::string text) {
  File& file = files_.emplace_back();
  file.name = std::move(name);
  file.owned = std::move(text);
  file.text = file.owned;
  return {static_cast<uint32_t>(files_.size())};
}

FileId SourceManager::add_static(std::string name, std::string_view text) {
  File& file = files_.emplace_back();
  file.name = std::move(name);
  file.text = text;
  return {static_cast<uint32_t>(files_.size())};
}

std::string_view SourceManager::name(FileId file) const { return get(file).name; }
std::string_view SourceManager::text(FileId file) const { return get(file).text; }

std::string_view SourceManager::slice(Span span) const {
  if (!span.valid()) return {};
  std::string_view text = get(span.file).text;
  uint32_t end = std::min<uint32_t>(span.end, static_cast<uint32_t>(text.size()));
  return span.begin >= end ? std::string_view() : text.substr(span.begin, end - span.begin);
}

void SourceManager::index_lines(const File& file) {
  if (!file.line_starts.empty()) return;
  file.line_starts.push_back(0);
  for (size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.line_starts.push_back(static_cast<uint32_t>(i + 1));
}

LineColumn SourceManager::line_column(FileId file, uint32_t offset) const {
  const File& f = get(file);
  index_lines(f);
  auto next = std::upper_bound(f.line_starts.begin(), f.line_starts.end(), offset);
  auto line = static_cast<uint32_t>(next - f.line_starts.begin());
  return {line, offset - f.line_starts[line - 1] + 1};
}

std::string_view SourceManager::line_text(FileId file, uint32_t line) const {
  const File& f = get(file);
  index_lines(f);
  if (line == 0 || line > f.line_starts.size()) return {};
  uint32_t begin = f.line_starts[line - 1];
  size_t end = line < f.line_starts.size() ? f.line_starts[line] - 1 : f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return f.text.substr(begin, end - begin);
}

}  // namespace dtp

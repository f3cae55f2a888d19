#include "edit/apply.h"

#include <algorithm>

#include "base/source_manager.h"
#include "diagnostics/sink.h"
#include "format/format.h"
#include "syntax/parse.h"

namespace dtp::edit {
namespace {

// In the style; nothing where the text does not parse.
std::optional<std::string> styled(std::string text) {
  SourceManager sources;
  CollectingSink ignored;
  FileId file = sources.add("", std::move(text));
  syntax::Tree tree = syntax::parse(file, sources.text(file), ignored);
  if (tree.has_errors()) return std::nullopt;
  return style::formatted(tree);
}

}  // namespace

std::optional<std::string> applied(std::string_view text, std::vector<TextEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const TextEdit& a, const TextEdit& b) {
    return a.span.begin < b.span.begin;
  });
  std::string result;
  size_t done = 0;
  for (const TextEdit& edit : edits) {
    if (edit.span.begin < done || edit.span.end > text.size()) return std::nullopt;
    result += text.substr(done, edit.span.begin - done);
    result += edit.replacement;
    done = edit.span.end;
  }
  result += text.substr(done);
  std::optional<std::string> before = styled(std::string(text)), after = styled(result);
  if (before && !after) return std::nullopt;
  return before == text ? after : result;
}

}  // namespace dtp::edit

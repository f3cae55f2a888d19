#include <llvm/Support/raw_ostream.h>

#include "diagnostics/display.h"
#include "diagnostics/renderer.h"

namespace dtp {
namespace {

// The escapes of workflow commands; a property must not hold its own separators either.
std::string escaped(std::string_view text, bool property) {
  std::string result;
  for (char c : neutral(text, true)) {
    if (c == '%')
      result += "%25";
    else if (c == '\n')
      result += "%0A";
    else if (property && c == ':')
      result += "%3A";
    else if (property && c == ',')
      result += "%2C";
    else
      result += c;
  }
  return result;
}

std::string_view command(Severity severity) {
  if (severity == Severity::error) return "error";
  return severity == Severity::warning ? "warning" : "notice";
}

}  // namespace

void render_github(const Diagnostic& diagnostic, const SourceManager& sources,
                   llvm::raw_ostream& out) {
  out << "::" << command(diagnostic.severity) << " ";
  if (Span span = diagnostic.span(); span.valid()) {
    LineColumn from = sources.line_column(span.file, span.begin);
    LineColumn to = sources.line_column(span.file, span.end);
    out << "file=" << escaped(sources.name(span.file), true) << ",line=" << from.line
        << ",endLine=" << to.line << ",col=" << from.column;
    // A column of the end is understood only where the span stays on one line.
    if (from.line == to.line) out << ",endColumn=" << to.column;
    out << ",";
  }
  out << "title=" << escaped(diagnostic.code(), true)
      << "::" << escaped(diagnostic.headline, false);
  if (!diagnostic.labels.empty() && !diagnostic.labels.front().text.empty())
    out << "%0A" << escaped(diagnostic.labels.front().text, false);
  for (const Note& note : diagnostic.notes) out << "%0Anote: " << escaped(note.text, false);
  for (const Help& help : diagnostic.help) out << "%0Ahelp: " << escaped(help.text, false);
  out << "\n";
}

}  // namespace dtp

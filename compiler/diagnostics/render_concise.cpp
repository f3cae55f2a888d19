#include <llvm/Support/raw_ostream.h>

#include "base/int128.h"
#include "diagnostics/display.h"
#include "diagnostics/paint.h"
#include "diagnostics/renderer.h"

namespace dtp {

std::string_view severity_text(Severity severity) {
  if (severity == Severity::error) return "error";
  return severity == Severity::warning ? "warning" : "note";
}

void render_concise(const Diagnostic& diagnostic, const SourceManager& sources,
                    const RenderOptions& options, llvm::raw_ostream& out) {
  Paint paint(options.color);
  if (Span span = diagnostic.span(); span.valid()) {
    LineColumn at = sources.line_column(span.file, span.begin);
    out << neutral(sources.name(span.file)) << ":" << at.line << ":" << at.column << ": ";
  }
  out << paint.severity(diagnostic.severity) << severity_text(diagnostic.severity) << "["
      << neutral(diagnostic.code()) << "]" << paint.off() << ": " << neutral(diagnostic.headline)
      << "\n";
}

std::string summary(std::span<const Diagnostic> diagnostics) {
  Int128 errors = 0;
  Int128 warnings = 0;
  for (const Diagnostic& d : diagnostics) {
    errors += d.severity == Severity::error;
    warnings += d.severity == Severity::warning;
  }
  if (errors == 0 && warnings == 0) return {};
  if (warnings == 0) return counted(errors, "error");
  if (errors == 0) return counted(warnings, "warning");
  return counted(errors, "error") + ", " + counted(warnings, "warning");
}

}  // namespace dtp

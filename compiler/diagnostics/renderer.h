// Diagnostics as text for people and for tools. One renderer a file; all of them only read.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/source_manager.h"
#include "diagnostics/diagnostic.h"

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
}
}  // namespace llvm

namespace dtp {

struct RenderOptions {
  bool color = false;
  unsigned width = 0;  // columns of the terminal; 0: not known
};

// The headline, the source lines with carets and labels, notes, help.
void render_full(const Diagnostic& diagnostic, const SourceManager& sources,
                 const RenderOptions& options, llvm::raw_ostream& out);
// "file:line:column: error[DTP4001]: headline"
void render_concise(const Diagnostic& diagnostic, const SourceManager& sources,
                    const RenderOptions& options, llvm::raw_ostream& out);
// A workflow command of GitHub Actions: "::error file=...,line=...::..."
void render_github(const Diagnostic& diagnostic, const SourceManager& sources,
                   llvm::raw_ostream& out);
// One document: {"schema": 1, "diagnostics": [...]}.
void render_json(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                 llvm::raw_ostream& out);
// Only the array of it, for documents that say more.
void write_json(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                llvm::json::OStream& json);
// A SARIF 2.1.0 log of one run.
void render_sarif(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                  std::string_view tool_version, llvm::raw_ostream& out);

std::string_view severity_text(Severity severity);
// "2 errors, 1 warning"; empty when there are neither.
std::string summary(std::span<const Diagnostic> diagnostics);

}  // namespace dtp

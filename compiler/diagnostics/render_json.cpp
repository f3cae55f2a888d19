#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include "diagnostics/place.h"
#include "diagnostics/renderer.h"

namespace dtp {
namespace {

using llvm::json::OStream;

void write_span(OStream& json, const SourceManager& sources, Span span) {
  Place begin = place_of(sources, span.file, span.begin);
  Place end = place_of(sources, span.file, span.end);
  json.attributeObject("span", [&] {
    json.attribute("file", json_text(sources.name(span.file)));
    json.attribute("begin", span.begin);
    json.attribute("end", span.end);
    json.attribute("line", begin.line);
    json.attribute("column", begin.column);
    json.attribute("utf16_column", begin.utf16_column);
    json.attribute("end_line", end.line);
    json.attribute("end_column", end.column);
    json.attribute("end_utf16_column", end.utf16_column);
  });
}

void write_help(OStream& json, const SourceManager& sources, const Help& help) {
  json.object([&] {
    json.attribute("text", json_text(help.text));
    if (help.edits.empty()) return;
    json.attribute("certain", help.certain);
    json.attributeArray("edits", [&] {
      for (const TextEdit& edit : help.edits)
        json.object([&] {
          write_span(json, sources, edit.span);
          json.attribute("replacement", json_text(edit.replacement));
        });
    });
  });
}

void write_diagnostic(OStream& json, const SourceManager& sources, const Diagnostic& d) {
  std::string_view severity = severity_text(d.severity);
  std::string_view name = info(d.kind).name;
  json.object([&] {
    json.attribute("code", json_text(d.code()));
    json.attribute("kind", llvm::StringRef(name.data(), name.size()));
    json.attribute("severity", llvm::StringRef(severity.data(), severity.size()));
    json.attribute("message", json_text(d.headline));
    json.attributeArray("labels", [&] {
      for (const Label& label : d.labels) {
        if (!label.span.valid()) continue;
        json.object([&] {
          write_span(json, sources, label.span);
          json.attribute("text", json_text(label.text));
          json.attribute("primary", &label == &d.labels.front());
        });
      }
    });
    json.attributeArray("notes", [&] {
      for (const Note& note : d.notes) {
        json.object([&] {
          json.attribute("text", json_text(note.text));
          if (note.span.valid()) write_span(json, sources, note.span);
        });
      }
    });
    json.attributeArray("help", [&] {
      for (const Help& help : d.help) write_help(json, sources, help);
    });
  });
}

}  // namespace

void write_json(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                OStream& json) {
  json.array([&] {
    for (const Diagnostic& d : diagnostics) write_diagnostic(json, sources, d);
  });
}

void render_json(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                 llvm::raw_ostream& out) {
  OStream json(out, 2);
  json.object([&] {
    json.attribute("schema", 1);
    json.attributeBegin("diagnostics");
    write_json(diagnostics, sources, json);
    json.attributeEnd();
  });
  out << "\n";
}

}  // namespace dtp

// SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "diagnostics/place.h"
#include "diagnostics/renderer.h"

namespace dtp {
namespace {

using llvm::json::OStream;

// A path as a relative or file URI: all but the plain characters percent-encoded (3.10.1).
std::string uri_of(std::string_view path) {
  constexpr std::string_view plain = "-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos)
      uri += c;
    else
      uri.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return uri;
}

const char* level(Severity severity) {
  if (severity == Severity::error) return "error";
  return severity == Severity::warning ? "warning" : "note";
}

class SarifRenderer {
 public:
  SarifRenderer(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                OStream& json)
      : diagnostics_(diagnostics), sources_(sources), json_(json) {
    for (const Diagnostic& d : diagnostics)
      if (std::find(rules_.begin(), rules_.end(), d.code()) == rules_.end())
        rules_.push_back(d.code());
  }

  void log(std::string_view tool_version) {
    json_.object([&] {
      json_.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
      json_.attribute("version", "2.1.0");
      json_.attributeArray("runs", [&] {
        json_.object([&] {
          json_.attributeObject("tool", [&] {
            json_.attributeObject("driver", [&] {
              json_.attribute("name", "dtpc");
              json_.attribute("version", json_text(tool_version));
              json_.attributeArray("rules", [&] { rules(); });
            });
          });
          json_.attribute("columnKind", "utf16CodeUnits");
          json_.attributeArray("results", [&] {
            for (const Diagnostic& d : diagnostics_) json_.object([&] { result(d); });
          });
        });
      });
    });
  }

 private:
  void text(const char* name, const std::string& words) {
    json_.attributeObject(name, [&] { json_.attribute("text", json_text(words)); });
  }

  void rules() {
    for (const std::string& rule : rules_) {
      auto of = std::find_if(diagnostics_.begin(), diagnostics_.end(),
                             [&](const Diagnostic& d) { return d.code() == rule; });
      const KindInfo& kind = info(of->kind);
      json_.object([&] {
        json_.attribute("id", json_text(rule));
        json_.attribute("name", std::string(kind.name));
        // A rule of the library has a code of its own, and the kind says only that a rule was not
        // kept.
        text("shortDescription", std::string(kind.title));
        json_.attributeObject("defaultConfiguration",
                              [&] { json_.attribute("level", level(kind.severity)); });
      });
    }
  }

  void region(const char* name, Span span) {
    Place from = place_of(sources_, span.file, span.begin);
    Place to = place_of(sources_, span.file, span.end);
    json_.attributeObject(name, [&] {
      json_.attribute("startLine", from.line);
      json_.attribute("startColumn", from.utf16_column);
      json_.attribute("endLine", to.line);
      json_.attribute("endColumn", to.utf16_column);
    });
  }

  void artifact(Span span) {
    json_.attributeObject("artifactLocation",
                          [&] { json_.attribute("uri", uri_of(sources_.name(span.file))); });
  }

  void physical(Span span) {
    json_.attributeObject("physicalLocation", [&] {
      artifact(span);
      region("region", span);
    });
  }

  void related(Span span, const std::string& words) {
    json_.object([&] {
      physical(span);
      if (!words.empty()) text("message", words);
    });
  }

  void result(const Diagnostic& d) {
    json_.attribute("ruleId", json_text(d.code()));
    json_.attribute("ruleIndex",
                    std::find(rules_.begin(), rules_.end(), d.code()) - rules_.begin());
    json_.attribute("level", level(d.severity));
    std::string words = d.headline;
    for (const Note& note : d.notes)
      if (!note.span.valid()) words += "\nnote: " + note.text;
    for (const Help& help : d.help) words += "\nhelp: " + help.text;
    text("message", words);
    if (d.span().valid())
      json_.attributeArray("locations", [&] { related(d.span(), d.labels.front().text); });
    json_.attributeArray("relatedLocations", [&] {
      for (size_t i = 1; i < d.labels.size(); ++i)
        if (d.labels[i].span.valid()) related(d.labels[i].span, d.labels[i].text);
      for (const Note& note : d.notes)
        if (note.span.valid()) related(note.span, note.text);
    });
    fixes(d);
  }

  void fixes(const Diagnostic& d) {
    auto is_edit = [](const Help& help) { return !help.edits.empty(); };
    if (std::none_of(d.help.begin(), d.help.end(), is_edit)) return;
    json_.attributeArray("fixes", [&] {
      for (const Help& help : d.help)
        if (is_edit(help)) json_.object([&] { fix(help); });
    });
  }

  void fix(const Help& help) {
    text("description", help.text);
    json_.attributeArray("artifactChanges", [&] {
      json_.object([&] {
        artifact(help.edits.front().span);
        json_.attributeArray("replacements", [&] {
          for (const TextEdit& edit : help.edits)
            json_.object([&] {
              region("deletedRegion", edit.span);
              text("insertedContent", edit.replacement);
            });
        });
      });
    });
  }

  std::span<const Diagnostic> diagnostics_;
  const SourceManager& sources_;
  OStream& json_;
  std::vector<std::string> rules_;
};

}  // namespace

void render_sarif(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                  std::string_view tool_version, llvm::raw_ostream& out) {
  OStream json(out, 2);
  SarifRenderer(diagnostics, sources, json).log(tool_version);
  out << "\n";
}

}  // namespace dtp

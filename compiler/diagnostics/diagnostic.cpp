#include "diagnostics/diagnostic.h"

#include <algorithm>
#include <utility>

#include "base/out.h"

namespace dtp {

const std::vector<KindInfo>& all_kinds() {
  static const std::vector<KindInfo> kinds = {
#define KIND(code, name, severity, title) {Kind::name, code, #name, Severity::severity, title},
#include "diagnostics/kinds.def"
  };
  return kinds;
}

const KindInfo& info(Kind kind) {
  const auto& kinds = all_kinds();
  return *std::find_if(kinds.begin(), kinds.end(),
                       [&](const KindInfo& k) { return k.kind == kind; });
}

std::string code_text(Kind kind) { return format("DTP{:04}", static_cast<unsigned>(kind)); }

std::optional<Kind> kind_of_code(std::string_view text) {
  for (const KindInfo& k : all_kinds())
    if (code_text(k.kind) == text) return k.kind;
  return std::nullopt;
}

namespace {

// A message quotes what was written, however long that is; people read its beginning.
std::string clipped(std::string text) {
  constexpr size_t kMost = 2000;
  if (text.size() <= kMost) return text;
  size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text + "...";
}

}  // namespace

DiagnosticBuilder::DiagnosticBuilder(Kind kind, Span span, std::string headline)
    : diagnostic_{
          kind, info(kind).severity, clipped(std::move(headline)), {Label{span, {}}}, {}, {}, {}} {}

DiagnosticBuilder& DiagnosticBuilder::caret_text(std::string text) {
  diagnostic_.labels.front().text = clipped(std::move(text));
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::label(Span span, std::string text) {
  if (span.valid()) diagnostic_.labels.push_back({span, clipped(std::move(text))});
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::note(std::string text, Span span) {
  diagnostic_.notes.push_back({clipped(std::move(text)), span});
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::help(std::string text) {
  diagnostic_.help.push_back({clipped(std::move(text)), {}, {}, false});
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::help(std::string text, Span span, std::string replacement,
                                           bool certain) {
  diagnostic_.help.push_back({clipped(std::move(text)), span, std::move(replacement), certain});
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::severity(Severity severity) {
  diagnostic_.severity = severity;
  return *this;
}

}  // namespace dtp

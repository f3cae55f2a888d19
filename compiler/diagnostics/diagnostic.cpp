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

// "`a`", "`a` and `b`", "`a`, `b`, `c` and 7 more".
std::string plan_list(const std::vector<FoundIn>& plans) {
  constexpr size_t kMost = 5;
  size_t shown = std::min(plans.size(), kMost);
  std::string list;
  for (size_t i = 0; i < shown; ++i) {
    bool last = i + 1 == plans.size();
    list += format("{}`{}`", i == 0 ? "" : last ? " and " : ", ", plans[i].plan);
  }
  return plans.size() > shown ? format("{} and {} more", list, plans.size() - shown) : list;
}

}  // namespace

void Diagnostic::add_plans(const std::vector<FoundIn>& more) {
  for (const FoundIn& one : more) {
    bool known = std::any_of(plans.begin(), plans.end(),
                             [&](const FoundIn& p) { return p.span == one.span; });
    if (!known) plans.push_back(one);
  }
  if (plans_note || plans.size() > 1) tell_plans();
}

void Diagnostic::tell_plans() {
  if (plans.empty()) return;
  if (!plans_note) {
    plans_note = notes.size();
    notes.emplace_back();
  }
  notes[*plans_note] = {
      clipped(format("in plan{} {}", plans.size() == 1 ? "" : "s", plan_list(plans))),
      plans.front().span};
}

DiagnosticBuilder::DiagnosticBuilder(Kind kind, Span span, std::string headline)
    : diagnostic_{kind,
                  info(kind).severity,
                  clipped(std::move(headline)),
                  {Label{span, {}}},
                  {},
                  {},
                  {},
                  {},
                  {}} {}

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

DiagnosticBuilder& DiagnosticBuilder::in_plan(std::string_view name, Span span) {
  diagnostic_.plans.push_back({std::string(name), span});
  diagnostic_.tell_plans();
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::help(std::string text) {
  diagnostic_.help.push_back({clipped(std::move(text)), {}, false});
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::help(std::string text, Span span, std::string replacement,
                                           bool certain) {
  diagnostic_.help.push_back({clipped(std::move(text)), {}, certain});
  if (span.valid()) diagnostic_.help.back().edits.push_back({span, std::move(replacement)});
  return *this;
}

DiagnosticBuilder& DiagnosticBuilder::severity(Severity severity) {
  diagnostic_.severity = severity;
  return *this;
}

}  // namespace dtp

// One thing to tell the author: a complete headline, carets with labels, notes with facts, help
// with edits.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace dtp {

enum class Severity : uint8_t { error, warning, note };

enum class Kind : uint16_t {
#define KIND(code, name, severity, title) name = code,
#include "diagnostics/kinds.def"
};

struct KindInfo {
  Kind kind;
  uint16_t code;           // 4001, printed as DTP4001
  std::string_view name;   // "RequirementRefuted"
  Severity severity;       // the usual one; --strict and `expect` change it
  std::string_view title;  // static, for indexes and SARIF
};

const KindInfo& info(Kind kind);
// Every row of kinds.def, in its order.
const std::vector<KindInfo>& all_kinds();
std::string code_text(Kind kind);  // "DTP4001"
std::optional<Kind> kind_of_code(std::string_view text);

// A span with words under it. The first label of a diagnostic is its caret; the others are dashes.
struct Label {
  Span span;
  std::string text;
};

// A fact that belongs to the headline, perhaps at a place of its own.
struct Note {
  std::string text;
  Span span;  // may be invalid
};

// `replacement` goes over `span`: an insertion where the span is empty.
struct TextEdit {
  Span span;
  std::string replacement;
};

// What to do, in words, and the edits of one file that do it. --fix makes only `certain` ones:
// docs/reference/fixes.md says which those are.
struct Help {
  std::string text;
  std::vector<TextEdit> edits;  // none: words only
  bool certain = false;
};

// A plan in which a diagnostic was found.
struct FoundIn {
  std::string plan;
  Span span;  // of its name
};

struct Diagnostic {
  Kind kind;
  Severity severity;
  std::string headline;
  std::vector<Label> labels;
  std::vector<Note> notes;
  std::vector<Help> help;
  // Raised by a rule with a code of its own (`code = DTP4101`, or a house code): printed instead of
  // the kind's.
  std::string rule_code;
  std::vector<FoundIn> plans;
  // Which of the notes names the plans; there is none before `tell_plans`.
  std::optional<size_t> plans_note;

  // Adds the plans of another finding of the same.
  void add_plans(const std::vector<FoundIn>& more);
  // "in plans `a` and `b`", at the first one's name. What is found later joins the note.
  void tell_plans();

  std::string code() const { return rule_code.empty() ? code_text(kind) : rule_code; }
  Span span() const { return labels.empty() ? Span{} : labels.front().span; }
};

// Builds a diagnostic in one expression:
//   report(sink, Kind::UnknownName, span, "no name `{}`", n).label("...").note("...", where)
class DiagnosticBuilder {
 public:
  DiagnosticBuilder(Kind kind, Span span, std::string headline);
  DiagnosticBuilder& caret_text(std::string text);  // words under the caret
  DiagnosticBuilder& label(Span span, std::string text);
  DiagnosticBuilder& note(std::string text, Span span = {});
  DiagnosticBuilder& in_plan(std::string_view name, Span span);
  DiagnosticBuilder& help(std::string text);
  DiagnosticBuilder& help(std::string text, Span span, std::string replacement,
                          bool certain = false);
  DiagnosticBuilder& severity(Severity severity);
  // What the last help puts in; empty where it puts in nothing.
  std::string_view proposed() const {
    if (diagnostic_.help.empty() || diagnostic_.help.back().edits.empty()) return {};
    return diagnostic_.help.back().edits.front().replacement;
  }
  Diagnostic take() { return std::move(diagnostic_); }

 private:
  Diagnostic diagnostic_;
};

}  // namespace dtp

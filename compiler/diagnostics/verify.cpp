#include "diagnostics/verify.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/out.h"
#include "diagnostics/display.h"
#include "diagnostics/renderer.h"

namespace dtp {
namespace {

struct Expectation {
  FileId file;
  uint32_t written;  // line of the comment
  uint32_t line;     // line where it must be raised; 0: no place
  Severity severity;
  std::string code;
  std::string words;
  size_t wanted = 1;
  size_t met = 0;
};

// What a comment may be matched with: a diagnostic, or one of its notes.
struct Raised {
  FileId file;
  uint32_t line = 0;
  uint32_t column = 0;
  Severity severity;
  std::string code;
  std::vector<std::string_view> texts;
  bool matched = false;
  // A note is also found at the line of its diagnostic.
  uint32_t owner_line = 0;
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::optional<uint32_t> take_number(std::string_view& text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

// "@+1", "@-2", "@12". Nothing when it is malformed or points before the first line.
std::optional<uint32_t> take_line(std::string_view& text, uint32_t here) {
  if (!take(text, "@")) return here;
  bool down = take(text, "+");
  bool up = !down && take(text, "-");
  auto number = take_number(text);
  if (!number || (up && *number >= here)) return std::nullopt;
  return down ? here + *number : up ? here - *number : *number;
}

// What follows "expect-" in a comment. Nothing when it is malformed.
std::optional<Expectation> parse(std::string_view text, FileId file, uint32_t here) {
  Expectation e{file, here, here, Severity::error, {}, {}};
  if (take(text, "warning"))
    e.severity = Severity::warning;
  else if (take(text, "note"))
    e.severity = Severity::note;
  else if (!take(text, "error"))
    return std::nullopt;
  auto line = take_line(text, here);
  if (!line || (!text.empty() && text.front() != ' ' && text.front() != '\t')) return std::nullopt;
  e.line = *line;
  skip_blanks(text);
  if (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    auto count = take_number(text);
    if (!count || !take(text, "x")) return std::nullopt;
    e.wanted = *count;
    skip_blanks(text);
  }
  size_t end = std::min(text.find_first_of(" \t{"), text.size());
  e.code = text.substr(0, end);
  text.remove_prefix(end);
  skip_blanks(text);
  if (take(text, "{{")) {
    size_t close = text.find("}}");
    if (close == std::string_view::npos) return std::nullopt;
    e.words = text.substr(0, close);
  } else if (!text.empty()) {
    return std::nullopt;
  }
  return e;
}

void collect(FileId file, const SourceManager& sources, std::vector<Expectation>& all,
             VerifyResult& result, llvm::raw_ostream& out) {
  constexpr std::string_view mark = "expect-";
  std::string_view text = sources.text(file);
  for (size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    // The mark counts only at the start of a comment.
    std::string_view before = text.substr(0, at);
    before = before.substr(0, before.find_last_not_of(" \t") + 1);
    if (!before.ends_with("//")) continue;
    std::string_view rest = text.substr(at + mark.size());
    rest = rest.substr(0, rest.find_first_of("\r\n"));
    rest = rest.substr(0, rest.find_last_not_of(" \t") + 1);
    uint32_t line = sources.line_column(file, static_cast<uint32_t>(at)).line;
    if (auto expectation = parse(rest, file, line)) {
      all.push_back(std::move(*expectation));
      continue;
    }
    ++result.failed;
    out << neutral(sources.name(file)) << ":" << line << ": error: this is no expectation: `expect-"
        << neutral(rest) << "`\n";
  }
}

void add_place(Raised& raised, Span span, const SourceManager& sources) {
  if (!span.valid()) return;
  LineColumn at = sources.line_column(span.file, span.begin);
  raised.file = span.file;
  raised.line = at.line;
  raised.column = at.column;
}

std::vector<Raised> flatten(std::span<const Diagnostic> diagnostics, const SourceManager& sources) {
  std::vector<Raised> all;
  for (const Diagnostic& d : diagnostics) {
    Raised raised{{}, 0, 0, d.severity, d.code(), {d.headline}};
    for (const Label& label : d.labels) raised.texts.push_back(label.text);
    add_place(raised, d.span(), sources);
    for (const Note& note : d.notes) {
      Raised of_note{raised.file,    raised.line, raised.column,
                     Severity::note, d.code(),    {note.text}};
      of_note.owner_line = raised.line;
      if (note.span.valid()) add_place(of_note, note.span, sources);
      all.push_back(std::move(of_note));
    }
    all.push_back(std::move(raised));
  }
  return all;
}

bool fits(const Expectation& e, const Raised& raised) {
  if (raised.matched || raised.severity != e.severity) return false;
  bool here = e.line == 0
                  ? !raised.file.value
                  : raised.file == e.file && (raised.line == e.line || raised.owner_line == e.line);
  if (!here || (!e.code.empty() && e.code != raised.code)) return false;
  return std::any_of(raised.texts.begin(), raised.texts.end(), [&](std::string_view text) {
    return text.find(e.words) != std::string_view::npos;
  });
}

std::string describe(const Expectation& e) {
  std::string text(severity_text(e.severity));
  if (!e.code.empty()) text += " " + e.code;
  if (!e.words.empty()) text += " {{" + e.words + "}}";
  return neutral(text);
}

}  // namespace

VerifyResult verify(std::span<const Diagnostic> diagnostics, const SourceManager& sources,
                    llvm::raw_ostream& out) {
  VerifyResult result;
  std::vector<Expectation> expectations;
  for (uint32_t file = 1; file <= sources.count(); ++file)
    collect({file}, sources, expectations, result, out);
  std::vector<Raised> raised = flatten(diagnostics, sources);

  for (Expectation& e : expectations) {
    for (Raised& r : raised) {
      if (e.met == e.wanted) break;
      if (!fits(e, r)) continue;
      r.matched = true;
      ++e.met;
    }
    if (e.met == e.wanted) {
      ++result.expected;
      continue;
    }
    ++result.failed;
    std::string where = e.line == e.written ? ""
                        : e.line == 0       ? " without a place"
                                            : format(" on line {}", e.line);
    std::string times = e.wanted == 1 ? "" : format(" {} times, seen {}", e.wanted, e.met);
    out << neutral(sources.name(e.file)) << ":" << e.written << ": error: expected" << times
        << where << ": " << describe(e) << "\n";
  }
  for (const Raised& r : raised) {
    if (r.matched || r.severity == Severity::note) continue;
    ++result.failed;
    if (r.file.value)
      out << neutral(sources.name(r.file)) << ":" << r.line << ":" << r.column << ": ";
    out << "error: unexpected " << severity_text(r.severity) << "[" << neutral(r.code)
        << "]: " << neutral(r.texts.front()) << "\n";
  }
  return result;
}

}  // namespace dtp

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <deque>

#include "base/out.h"
#include "diagnostics/display.h"
#include "diagnostics/paint.h"
#include "diagnostics/renderer.h"
#include "diagnostics/snippet.h"

namespace dtp {
namespace {

struct Section {
  Span where;
  Snippet snippet;
};

// The labels by file: the file of the caret first, then the others as they come.
std::deque<Section> sections_of(const std::vector<Label>& labels, const SourceManager& sources) {
  std::deque<Section> sections;
  for (const Label& label : labels) {
    if (!label.span.valid()) continue;
    auto found = std::find_if(sections.begin(), sections.end(),
                              [&](const Section& s) { return s.where.file == label.span.file; });
    if (found == sections.end()) {
      sections.push_back({label.span, Snippet(label.span.file, sources)});
      found = std::prev(sections.end());
    }
    found->snippet.add(label, &label == &labels.front());
  }
  return sections;
}

unsigned digits(uint32_t number) { return static_cast<unsigned>(std::to_string(number).size()); }

class FullRenderer {
 public:
  FullRenderer(const SourceManager& sources, const RenderOptions& options, llvm::raw_ostream& out)
      : sources_(sources), options_(options), paint_(options.color), out_(out) {}

  void render(const Diagnostic& d) {
    std::deque<Section> sections = sections_of(d.labels, sources_);
    std::deque<Section> note_sections;
    for (const Note& note : d.notes) {
      note_sections.push_back({note.span, Snippet(note.span.file, sources_)});
      if (note.span.valid()) note_sections.back().snippet.add({note.span, ""}, false);
    }
    unsigned gutter = 1;
    for (const auto* group : {&sections, &note_sections})
      for (const Section& s : *group)
        if (s.where.valid()) gutter = std::max(gutter, digits(s.snippet.last_line()));

    out_ << paint_.severity(d.severity) << severity_text(d.severity) << "[" << neutral(d.code())
         << "]" << paint_.off() << paint_.bold() << ": " << neutral(d.headline) << paint_.off()
         << "\n";
    for (const Section& s : sections) print_section(s, gutter, d.severity);
    for (size_t i = 0; i < d.notes.size(); ++i) {
      print_words("note", paint_.note(), d.notes[i].text);
      if (d.notes[i].span.valid()) print_section(note_sections[i], gutter, Severity::note);
    }
    for (const Help& help : d.help) print_words("help", paint_.help(), help.text);
  }

 private:
  void print_section(const Section& section, unsigned gutter, Severity severity) {
    LineColumn at = sources_.line_column(section.where.file, section.where.begin);
    out_ << paint_.frame() << "  --> " << paint_.off();
    out_ << neutral(sources_.name(section.where.file)) << ":" << at.line << ":" << at.column
         << "\n";
    section.snippet.print(gutter, severity, options_, out_);
  }

  // "  note: words", with further lines below the first word.
  void print_words(std::string_view name, std::string_view colour, const std::string& text) {
    out_ << "  " << colour << name << paint_.off() << ": ";
    for (char c : neutral(text, true)) {
      out_ << c;
      if (c == '\n') out_.indent(static_cast<unsigned>(name.size()) + 4);
    }
    out_ << "\n";
  }

  const SourceManager& sources_;
  const RenderOptions& options_;
  Paint paint_;
  llvm::raw_ostream& out_;
};

}  // namespace

void render_full(const Diagnostic& diagnostic, const SourceManager& sources,
                 const RenderOptions& options, llvm::raw_ostream& out) {
  FullRenderer(sources, options, out).render(diagnostic);
}

}  // namespace dtp
